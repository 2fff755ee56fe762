prelude
import FloatLib.Lemmas.AbsArith
import FloatLib.Lemmas.Bits
import FloatLib.Lemmas.Commute
import FloatLib.Lemmas.Compare
import FloatLib.Lemmas.Exact
import FloatLib.Lemmas.IntegralOrder
import FloatLib.Lemmas.Nan
import FloatLib.Lemmas.NanArith
import FloatLib.Lemmas.OrderF32
import FloatLib.Lemmas.MinMax
import FloatLib.Lemmas.MinMaxLaws
import FloatLib.Lemmas.MinMaxOrder
import FloatLib.Lemmas.RoundOrder
import FloatLib.Lemmas.Unit
import FloatLib.Lemmas.SumSign
import FloatLib.Lemmas.SqrtLe
import FloatLib.Lemmas.ZeroSign
import FloatLib.Lemmas.FmaOrder
import FloatLib.Lemmas.Interval
import FloatLib.Lemmas.Apart
import FloatLib.Lemmas.Invalid
import FloatLib.Lemmas.Pin
import FloatLib.Lemmas.Scaling
import FloatLib.Lemmas.Fused
import FloatLib.Lemmas.Factors
import FloatLib.Lemmas.Tame
import FloatLib.Lemmas.Tests
import FloatLib.Lemmas.Twice
import FloatLib.Lemmas.Grid.Padded
import FloatLib.Lemmas.Grid.Rounds
import FloatLib.Lemmas.Grid.Scatter
import FloatLib.Lemmas.Grid.Words
import FloatLib.Lemmas.Grid.Threads
import FloatLib.Op.Between
import FloatLib.Op.Class
import FloatLib.Op.Convert
import FloatLib.Op.Integral
import FloatLib.Op.Saturate
import FloatLib.Op.Sign
import FloatLib.Op.Word
/-!
# The pool: every lemma that the prover may use

`devsem/lemmas.py` registers the lemmas with their statements, and Lean compares (`tests/test_tables.py`).
-/
