/**
 * Writes a project from a template into a new or empty folder.
 *
 * Limits: the name of the folder is the name of the project, 1 to 100 lower-case letters, digits, `-`, `.` and `_`. A
 * folder may contain only `.git`. Existing files are never overwritten.
 */
import { mkdir, readdir, writeFile } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"

export interface Template {
  /** Noun phrase for the list of templates. */
  readonly title: string
  /** Body of the project's README as Markdown. */
  readonly readme: string
  /** Script that the user runs first. */
  readonly firstScript: string
  /** `package.json` without the name. */
  readonly manifest: {
    readonly dependencies: Readonly<Record<string, string>>
    readonly devDependencies: Readonly<Record<string, string>>
  }
  /** Texts of all other files by their paths. */
  readonly files: Readonly<Record<string, string>>
}

/** Templates by name. */
export type Templates = Readonly<Record<string, Template>>

/** A sentence for the user about input that can't be used. */
export class ProjectRefused extends Error {}

const validName = /^[a-z0-9][a-z0-9._-]{0,99}$/

/** Names that npm refuses. */
const reservedNames: ReadonlySet<string> = new Set(["node_modules", "favicon.ico"])

/** Returns the absolute path of a folder and the name of its project. Throws `ProjectRefused` for an invalid name. */
export const projectAt = (folder: string): { readonly path: string; readonly name: string } => {
  const path = resolve(folder)
  const name = basename(path)
  if (!validName.test(name) || reservedNames.has(name)) {
    const rule =
      "It is the name of the project: 1 to 100 lower-case letters, digits, -, . and _, starting with a letter or a digit"
    throw new ProjectRefused(`The folder can't be named ${JSON.stringify(name.slice(0, 100))}. ${rule}`)
  }
  return { path, name }
}

/** Returns the texts of all files of a project by their paths. */
const projectFiles = (name: string, { files, manifest, readme }: Template): Readonly<Record<string, string>> => ({
  "package.json": `${JSON.stringify({ name, ...manifest }, undefined, 2)}\n`,
  "README.md": `# ${name}\n\n${readme}\n`,
  ...files
})

/** Throws `ProjectRefused` if the folder has files, is a file or can't be read. */
const requireEmpty = async (folder: string, path: string): Promise<void> => {
  const names = await readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return []
    throw new ProjectRefused(
      error.code === "ENOTDIR"
        ? `${folder} is a file. Choose another folder`
        : `${folder} can't be read: ${error.message}`
    )
  })
  if (names.some((name) => name !== ".git"))
    throw new ProjectRefused(`The folder ${folder} is not empty. Choose another folder`)
}

/**
 * Writes a project. Throws `ProjectRefused` if the name is invalid, the folder is not empty, or a file can't be written.
 */
export const writeProject = async (folder: string, template: Template): Promise<void> => {
  const { path, name } = projectAt(folder)
  if (name in template.manifest.dependencies || name in template.manifest.devDependencies)
    throw new ProjectRefused(`The project needs a package named ${name}, so its folder must have another name`)
  await requireEmpty(folder, path)
  try {
    for (const [file, text] of Object.entries(projectFiles(name, template))) {
      await mkdir(dirname(join(path, file)), { recursive: true })
      await writeFile(join(path, file), text, { flag: "wx" })
    }
  } catch (error) {
    throw new ProjectRefused(`The project can't be written: ${(error as Error).message}`, { cause: error })
  }
}
