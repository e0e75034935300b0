/**
 * Makes a release in `dist/release`: the packages, the binary for this platform, a list of all dependencies (an SBOM), and
 * the checksums of these files.
 *
 * ```bash
 * pnpm release --dry-run   # everything except publishing
 * pnpm release --only binary
 * ```
 *
 * Publishing needs the permission of an npm registry, and a workflow that states where the packages were built (see
 * `.github/workflows/release.yml`). Binaries and the image are uploaded by that workflow.
 */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { publint } from "publint"
import { root } from "./BuildStamp.ts"

const folder = join(root, "dist/release")
/** Version of the program that checks whether the types of the packages can be resolved. */
const typeCheck = "@arethetypeswrong/cli@0.18.5"

export interface ReleaseOptions {
  /** True to publish nothing. */
  readonly dryRun: boolean
  /** Part of the release. Default: both. */
  readonly only?: "packages" | "binary"
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly engines?: object
  readonly description?: string
}

/** Returns a line for each reason why the sources cannot be released. */
export const obstacles = (
  manifests: ReadonlyArray<Manifest>,
  { versionFile, changelog, dryRun }: { versionFile: string; changelog: string; dryRun: boolean }
): ReadonlyArray<string> => {
  const versions = [...new Set(manifests.map(({ version }) => version))]
  const [version = ""] = versions
  const heading = changelog.split("\n").find((line) => line.startsWith(`## ${version}`))
  return [
    ...(versions.length === 1 ? [] : [`The packages have different versions: ${versions.join(", ")}`]),
    ...manifests.flatMap((manifest) =>
      (["license", "engines", "description"] as const)
        .filter((field) => manifest[field] === undefined)
        .map((field) => `${manifest.name} has no "${field}" in package.json`)
    ),
    ...(versionFile.includes(`"${version}"`) ? [] : [`apps/cli/src/Version.ts has another version than ${version}`]),
    ...(heading === undefined ? [`docs/changelog.md has no section for ${version}`] : []),
    ...(dryRun || heading?.includes("not released") !== true
      ? []
      : [`docs/changelog.md says that ${version} is not released`])
  ]
}

/** Returns the lines of a checksum file, in the form that `sha256sum --check` reads. */
export const checksums = (files: ReadonlyArray<readonly [name: string, bytes: Uint8Array]>): string =>
  files
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, bytes]) => `${createHash("sha256").update(bytes).digest("hex")}  ${name}\n`)
    .join("")

const read = (path: string): string => readFileSync(join(root, path), "utf8")

const run = (command: string, ...args: ReadonlyArray<string>): void => {
  execFileSync(command, args, { cwd: root, stdio: "inherit", shell: process.platform === "win32" })
}

const pnpm = (...args: ReadonlyArray<string>): void => run("npx", "-y", "pnpm@12", ...args)

const packPackages = async (version: string): Promise<void> => {
  pnpm("--recursive", "--filter", "./packages/*", "--filter", "./apps/*", "pack", "--pack-destination", folder)
  const tarballs = globSync("*.tgz", { cwd: folder }).map((name) => join(folder, name))
  for (const tarball of tarballs) {
    // A copy: the bytes of a small file are a part of a larger buffer.
    const { buffer } = new Uint8Array(readFileSync(tarball))
    const { messages } = await publint({ pack: { tarball: buffer }, strict: true })
    if (messages.length > 0) throw new Error(`${basename(tarball)}: ${JSON.stringify(messages)}`)
    // Some packages have only a command, and no modules to import.
    if (!/^(create-lectern|lectern-(cli|server))-/.test(basename(tarball)))
      pnpm("dlx", typeCheck, tarball, "--profile", "esm-only", "--format", "ascii")
  }
  const out = join(folder, `lectern-${version}.cdx.json`)
  pnpm("sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application", "--prod", "--out", out)
}

const packBinary = async (version: string): Promise<void> => {
  const { buildBinary } = await import("./Binary.ts")
  await buildBinary()
  const files = globSync("{lectern,workerd,better_sqlite3}{,.exe,.node}", { cwd: join(root, "dist") })
  const archive = join(folder, `lectern-${version}-${process.platform}-${process.arch}.tar.gz`)
  run("tar", "-czf", archive, "-C", join(root, "dist"), ...files, "-C", root, "LICENSE")
}

export const release = async ({ dryRun, only }: ReleaseOptions): Promise<void> => {
  const manifests = globSync(["packages/*/package.json", "apps/*/package.json"], { cwd: root }).map(
    (path) => JSON.parse(read(path)) as Manifest
  )
  const reasons = obstacles(manifests, {
    versionFile: read("apps/cli/src/Version.ts"),
    changelog: read("docs/changelog.md"),
    dryRun
  })
  if (reasons.length > 0) throw new Error(reasons.join("\n"))
  const { version } = manifests[0]!
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  if (only !== "binary") await packPackages(version)
  if (only !== "packages") await packBinary(version)
  const files = globSync("*", { cwd: folder }).map((name) => [name, readFileSync(join(folder, name))] as const)
  const sums = checksums(files)
  writeFileSync(join(folder, `SHA256SUMS${only === "binary" ? `-${process.platform}-${process.arch}` : ""}`), sums)
  console.log(sums)
  if (dryRun || only === "binary") return
  for (const [name] of files.filter(([name]) => name.endsWith(".tgz")))
    pnpm("publish", join(folder, name), "--access", "public", "--provenance", "--no-git-checks")
}
