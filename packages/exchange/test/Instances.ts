/** Lectern with imports, exports and Git over each adapter. */
import * as Exchange from "@lectern/exchange/Exchange"
import { adaptersWith } from "../../core/test/Instances.ts"

export const adapters = adaptersWith({ extensions: [Exchange.extension()] })
