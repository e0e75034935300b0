/** Lectern with sign-in over each adapter. */
import type { Extension } from "@lectern/core/Extension"
import { PublicUrl } from "@lectern/core/identity/PublicUrl"
import { NodePasskeys } from "@lectern/services-node/passkey/NodePasskeys"
import * as SignIn from "@lectern/sign-in/SignIn"
import { Layer } from "effect"
import { adaptersWith } from "../../core/test/Instances.ts"

const { layer } = SignIn.extension({ passkeyProtocol: NodePasskeys.layer })

const extension: Extension<SignIn.SignInServices, {}> = {
  layer: Layer.provide(layer, Layer.succeed(PublicUrl, "http://localhost:4000")),
  offered: {}
}

export const adapters = adaptersWith({ extensions: [extension] })

export type Services = Layer.Success<(typeof adapters)["memory"]>
