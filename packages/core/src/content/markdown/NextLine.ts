/** For a construct of the flow that spans lines: whether the next line still belongs to its container. */
import type { Construct, State } from "micromark-util-types"

export const nextLine: Construct = {
  partial: true,
  tokenize(effects, ok, nok) {
    const isLazy = () => this.parser.lazy[this.now().line] === true
    const start: State = (code) => {
      effects.enter("lineEnding")
      effects.consume(code)
      effects.exit("lineEnding")
      return after
    }
    const after: State = (code) => (isLazy() ? nok(code) : ok(code))
    return start
  }
}
