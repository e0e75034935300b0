/** GitHub: alerts, which are blockquotes that start with `[!NOTE]`. Its `caution` is more severe than that of others. */
import type { Dialect } from "./Dialect.ts"
import { stylesByName } from "./HintStyles.ts"

export const gitHub: Dialect = {
  names: ["github"],
  quoteStyles: stylesByName({ info: "note important", success: "tip", warning: "warning", danger: "caution" })
}
