/** The first that the binary runs, in each of its threads. */
import { getAssetKeys, getRawAsset } from "node:sea"
import { Boot } from "./Boot.ts"

new Boot({ keys: getAssetKeys, bytes: (key) => new Uint8Array(getRawAsset(key)) }).start()
