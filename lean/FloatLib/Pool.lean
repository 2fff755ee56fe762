prelude
import FloatLib.Lemmas.Bits
import FloatLib.Lemmas.Commute
import FloatLib.Lemmas.Nan
import FloatLib.Lemmas.OrderF32
import FloatLib.Lemmas.MinMax
import FloatLib.Lemmas.RoundOrder
import FloatLib.Lemmas.Unit
import FloatLib.Lemmas.ZeroSign
import FloatLib.Lemmas.Grid.Words
import FloatLib.Lemmas.Grid.Threads
import FloatLib.Op.Class
import FloatLib.Op.Integral
/-!
# The pool: every lemma that the prover may use

`devsem/lemmas.py` registers the lemmas with their statements, and Lean compares (`tests/test_tables.py`).
-/
