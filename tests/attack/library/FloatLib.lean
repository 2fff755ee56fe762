prelude
import FloatLib.Base
import FloatLib.Value
