/**
 * Makes the templates of `create-lectern` from the examples, with the versions of packages that this repository uses.
 * They are one JSON file in the package: npm renames files such as `.gitignore` when it packs them.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Templates } from "../packages/create-lectern/src/Project.ts"
import { root } from "./BuildStamp.ts"

/** Versions of packages that only generated projects use. */
const otherVersions = {
  next: "16.4.6",
  react: "19.3.1",
  "react-dom": "19.3.1",
  "@types/react": "19.3.3"
}

interface TemplateSource {
  /** Noun phrase for the list of templates. */
  readonly title: string
  /** Files of the project: path in the project, and path in `examples`. */
  readonly files: ReadonlyArray<readonly [path: string, example: string]>
  /** Replacements in all files. */
  readonly replace: ReadonlyArray<readonly [from: string, to: string]>
  readonly dependencies: ReadonlyArray<string>
  readonly devDependencies: ReadonlyArray<string>
  readonly scripts: Readonly<Record<string, string>>
  /** Script that the user runs first. */
  readonly firstScript: string
  readonly tsconfig: object
  /** Purpose of the project, and the commands to run it, as Markdown. */
  readonly readme: string
}

const read = (path: string): string => readFileSync(join(root, path), "utf8")

/** Returns the files below a folder of `examples`, by their paths in it. */
const filesIn = (folder: string): ReadonlyArray<readonly [path: string, example: string]> =>
  globSync("**/*.{ts,tsx}", { cwd: join(root, "examples", folder) })
    .sort()
    .map((path) => [path, `${folder}/${path}`])

const nodeTsconfig = (...include: ReadonlyArray<string>) => ({
  compilerOptions: {
    target: "es2024",
    module: "nodenext",
    types: ["node"],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true
  },
  include
})

const nextTsconfig = {
  compilerOptions: {
    target: "es2022",
    lib: ["dom", "dom.iterable", "esnext"],
    module: "esnext",
    moduleResolution: "bundler",
    jsx: "react-jsx",
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    esModuleInterop: true,
    isolatedModules: true,
    allowJs: true,
    incremental: true,
    resolveJsonModule: true,
    skipLibCheck: true,
    plugins: [{ name: "next" }]
  },
  include: ["next-env.d.ts", "**/*.ts", "**/*.tsx", ".next/types/**/*.ts", ".next/dev/types/**/*.ts"],
  exclude: ["node_modules"]
}

const site = `\`npm start\` serves a site of Lectern at http://localhost:3000/help and its API at http://localhost:3000/api/lectern. The first start creates the site in the database \`lectern.db\`.`

const sources: Readonly<Record<string, TemplateSource>> = {
  express: {
    title: "An Express application with a site and the API",
    files: [
      ["src/express.ts", "hosts/express.ts"],
      ["src/help.ts", "hosts/help.ts"]
    ],
    replace: [["examples/hosts/", "src/"]],
    dependencies: [
      "@lectern/adapter-sqlite",
      "@lectern/core",
      "@lectern/exchange",
      "@lectern/http",
      "@lectern/site",
      "effect",
      "express"
    ],
    devDependencies: ["@types/express", "@types/node", "typescript"],
    scripts: { start: "node src/express.ts", dev: "node --watch src/express.ts", check: "tsc" },
    firstScript: "start",
    tsconfig: nodeTsconfig("src"),
    readme: `${site}

\`src/help.ts\` opens Lectern and creates the site, \`src/express.ts\` is the application. \`npm run dev\` starts it again after each change, and \`npm run check\` checks the types.`
  },
  next: {
    title: "A Next.js application with a site and the API",
    files: [...filesIn("hosts/next"), ["help.ts", "hosts/help.ts"]],
    replace: [['"../help.ts"', '"./help.ts"']],
    dependencies: [
      "@lectern/adapter-sqlite",
      "@lectern/core",
      "@lectern/exchange",
      "@lectern/http",
      "@lectern/site",
      "effect",
      "next",
      "react",
      "react-dom"
    ],
    devDependencies: ["@types/node", "@types/react", "typescript"],
    scripts: { dev: "next dev", build: "next build", start: "next start", check: "tsc" },
    firstScript: "dev",
    tsconfig: nextTsconfig,
    readme: `${site.replace("npm start", "npm run dev")} \`npm run build\` and \`npm start\` do so in production.

\`help.ts\` opens Lectern and creates the site, \`lectern.ts\` keeps one instance while Next.js reloads modules, and \`app\` has the routes.`
  },
  effect: {
    title: "A program with Effect, and its tests",
    files: filesIn("effect"),
    replace: [["examples/effect/", ""]],
    dependencies: ["@lectern/adapter-sqlite", "@lectern/core", "effect"],
    devDependencies: ["@effect/vitest", "@lectern/adapter-memory", "@types/node", "typescript", "vitest"],
    scripts: { start: "node src/main.ts", check: "tsc", test: "vitest run" },
    firstScript: "start",
    tsconfig: nodeTsconfig("src", "test"),
    readme: `\`npm start\` adds a page to a handbook in the database \`lectern.db\`, and prints the titles of all pages.

\`src/Handbook.ts\` uses the services of Lectern, and \`src/main.ts\` provides them on SQLite. \`npm test\` runs the tests in memory, and \`npm run check\` checks the types.`
  },
  tests: {
    title: "Unit tests with @lectern/testing, for an application that embeds Lectern",
    files: filesIn("tests"),
    replace: [],
    dependencies: ["@lectern/core", "effect"],
    devDependencies: ["@lectern/testing", "@types/node", "typescript", "vitest"],
    scripts: { check: "tsc", test: "vitest run" },
    firstScript: "test",
    tsconfig: nodeTsconfig("src", "test"),
    readme: `\`npm test\` runs the tests, with Lectern in memory. \`npm run check\` checks the types.

\`src/ReviewRule.ts\` has a rule of the application as a hook of Lectern: pass it to \`SqliteLectern.open({ file, before: reviewRule })\`.`
  }
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

const manifestAt = (path: string): Manifest => JSON.parse(read(path)) as Manifest

/** Returns the templates. */
export const projectTemplates = (): Templates => {
  const packages = globSync("packages/*/package.json", { cwd: root }).map(manifestAt)
  const versions: Readonly<Record<string, string>> = {
    ...Object.assign({}, ...packages.map(({ devDependencies }) => devDependencies)),
    ...manifestAt("package.json").devDependencies,
    ...otherVersions,
    ...Object.fromEntries(packages.map(({ name, version }) => [name, version]))
  }
  const exact = (template: string, names: ReadonlyArray<string>) =>
    Object.fromEntries(
      names.map((name) => {
        const version = versions[name] ?? ""
        if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`${template}: no exact version of ${name}`)
        return [name, version]
      })
    )
  return Object.fromEntries(
    Object.entries(sources).map(
      ([name, { title, files, firstScript, replace, tsconfig, readme, scripts, ...source }]) => {
        const manifest = {
          private: true,
          type: "module",
          scripts,
          engines: { node: ">=24" },
          dependencies: exact(name, source.dependencies),
          devDependencies: exact(name, source.devDependencies)
        }
        const text = (example: string) =>
          replace.reduce((text, [from, to]) => text.replaceAll(from, to), read(join("examples", example)))
        const ignored = [
          "node_modules",
          "lectern.db*",
          ...(name === "next" ? [".next", "next-env.d.ts", "*.tsbuildinfo"] : [])
        ]
        return [
          name,
          {
            title,
            readme,
            firstScript,
            manifest,
            files: {
              ".gitignore": `${ignored.join("\n")}\n`,
              "tsconfig.json": `${JSON.stringify(tsconfig, undefined, 2)}\n`,
              ...Object.fromEntries(files.map(([path, example]) => [path, text(example)]))
            }
          }
        ]
      }
    )
  )
}

const templatesFile = join(root, "packages/create-lectern/templates.json")

/** Writes the templates into the package. */
export const buildProjectTemplates = (): void => {
  writeFileSync(templatesFile, JSON.stringify(projectTemplates()))
}
