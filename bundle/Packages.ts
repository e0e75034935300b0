/**
 * Builds the packages that other programs embed: one output file for each module, with the path of the module in the
 * source. The bundler writes the JavaScript, and the compiler writes the types. Output files of deleted modules are
 * removed.
 */
import { execFileSync } from "node:child_process"
import { existsSync, globSync, rmSync } from "node:fs"
import { join } from "node:path"
import { rolldown } from "rolldown"
import { root } from "./BuildStamp.ts"

const folders = (): ReadonlyArray<string> => globSync("packages/*", { cwd: root })

const modulesOf = (folder: string): ReadonlyArray<string> =>
  globSync("**/*.ts", { cwd: join(root, folder, "src"), exclude: ["**/*.d.ts"] }).map((file) => file.slice(0, -3))

const compile = (folder: string, modules: ReadonlyArray<string>): void => {
  const run = (...more: ReadonlyArray<string>) =>
    execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "--build", folder, ...more], {
      cwd: root,
      stdio: "inherit"
    })
  run()
  // The compiler trusts its build info and does not check that all built files exist.
  if (!modules.every((name) => existsSync(join(root, folder, "dist", `${name}.d.ts`)))) run("--force")
}

/** Builds a package. `folder`: path of the package from the root. */
export const buildPackage = async (folder: string): Promise<void> => {
  const modules = modulesOf(folder)
  const dist = join(root, folder, "dist")
  const moduleSet = new Set(modules)
  for (const file of globSync("**/*.*", { cwd: dist })) {
    // The entry may be a folder whose name contains a dot, such as a version.
    if (!moduleSet.has(file.replace(/(\.d\.ts|\.js)(\.map)?$/, "")))
      rmSync(join(dist, file), { force: true, recursive: true })
  }
  compile(folder, modules)
  const src = join(root, folder, "src")
  const bundle = await rolldown({
    cwd: root,
    platform: "node",
    // Bundles the helpers that the bundler itself adds to modules, since they are not a dependency of the package.
    external: (id) => !/^[./]|^@oxc-project\/runtime\//.test(id),
    input: Object.fromEntries(modules.map((name) => [name, join(src, `${name}.ts`)]))
  })
  await bundle.write({
    dir: dist,
    preserveModules: true,
    preserveModulesRoot: src,
    entryFileNames: "[name].js",
    sourcemap: true
  })
  await bundle.close()
}

export const buildPackages = async (): Promise<void> => {
  for (const folder of folders()) await buildPackage(folder)
}
