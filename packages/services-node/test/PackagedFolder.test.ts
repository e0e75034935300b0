import { existsSync } from "node:fs"
import { dirname } from "node:path"
import { assert, it } from "@effect/vitest"
import { packagedFolder } from "@lectern/services-node/site/PackagedFolder"

it("finds folders of the package, and tells a host that bundles it what to do", () => {
  assert.isTrue(existsSync(`${dirname(packagedFolder("fonts"))}/package.json`))
  assert.throws(
    () => packagedFolder("diagrams", () => 71151),
    /^The diagrams .* serverExternalPackages in next\.config\.ts$/
  )
})
