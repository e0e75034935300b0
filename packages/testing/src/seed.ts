/**
 * Creates an organization with users, spaces and a site for a test, and returns their ids by the keys of the input.
 *
 * ```ts
 * const { as, spaces } = await seed(lectern, {
 *   users: { ada: "edit", eve: "read" },
 *   spaces: { handbook: { "README.md": "# Handbook", "guide/install.md": "# Install" } }
 * })
 * await as.ada.changeRequests.create(spaces.handbook, { subject: "A first page" })
 * ```
 *
 * Files of spaces are imported like a folder, so front matter and `SUMMARY.md` have their meaning. The instance needs
 * the extension for imports: `extensions: [Exchange.extension()]`.
 */
import type { EmbeddedLectern } from "@lectern/core/EmbeddedLectern"
import type { Role } from "@lectern/core/access/Role"
import { checkOptions, type OptionNames } from "@lectern/core/schema/OptionNames"
import type { SiteVisibility } from "@lectern/core/site/Site"
import type { Exchange } from "@lectern/exchange/Exchange"
import { file } from "@lectern/exchange/import/Folder"

export interface SiteSeed<Space extends string = string> {
  /** Default: the title of the first space. */
  readonly title?: string
  /** Default: `public`. */
  readonly visibility?: SiteVisibility
  /** Keys of the spaces, in order. Default: all spaces. */
  readonly spaces?: ReadonlyArray<Space>
}

export interface SeedInput<
  User extends string = never,
  Space extends string = never,
  Site extends SiteSeed<Space> | undefined = undefined
> {
  /** Title of the organization. Default: "Test". */
  readonly organization?: string
  /**
   * Roles in the organization, null for a guest. The user `ada` has the e-mail address `ada@example.com`, the name "ada"
   * and the external id "ada" (see `users.sync`).
   */
  readonly users?: Readonly<Record<User, Role | null>>
  /** Files of each space by path, as Markdown or bytes. The key is the title of the space. */
  readonly spaces?: Readonly<Record<Space, Readonly<Record<string, string | Uint8Array>>>>
  /** A published site of the spaces. Default: none. */
  readonly site?: Site
}

/** Any input, since its keys are only known to the caller. */
type Input = SeedInput<string, string, SiteSeed | undefined>

export interface Seeded<User extends string, Space extends string, Site> {
  /** Id of the organization. */
  readonly organization: string
  /** Ids of the users. */
  readonly users: Readonly<Record<User, string>>
  /** Instances whose calls are made by the users. */
  readonly as: Readonly<Record<User, EmbeddedLectern<Exchange>>>
  /** Ids of the spaces. */
  readonly spaces: Readonly<Record<Space, string>>
  /** Id and public URL of the site; undefined without a site. */
  readonly site: Site extends object ? { readonly id: string; readonly url: string } : undefined
}

const inputNames: OptionNames<Input> = {
  organization: true,
  users: true,
  spaces: true,
  site: { title: true, visibility: true, spaces: true }
}

/** Creates the data and returns their ids. Each call creates an organization. A user of an earlier call joins it too. */
export const seed = async <
  User extends string = never,
  Space extends string = never,
  const Site extends SiteSeed<NoInfer<Space>> | undefined = undefined
>(
  lectern: EmbeddedLectern<Exchange>,
  input: SeedInput<User, Space, Site>
): Promise<Seeded<User, Space, Site>> => {
  checkOptions(inputNames, input)
  const { organization: title = "Test", users: roles = {}, spaces: folders = {}, site }: Input = input
  const { id: organization } = await lectern.organizations.create({ title })
  const { users } = await lectern.organizations.syncMembers(
    organization,
    Object.entries(roles).map(([user, role]) => ({
      externalId: user,
      email: `${user}@example.com`,
      displayName: user,
      role
    }))
  )
  const spaces: Record<string, string> = {}
  for (const [title, files] of Object.entries(folders)) {
    const space = await lectern.spaces.create(organization, { title })
    spaces[title] = space.id
    await lectern.content.folderImports.importFolder(space.id, {
      files: Object.entries(files).map(([path, content]) => file(path, content))
    })
  }
  const publish = async ({ spaces: keys = Object.keys(spaces), ...fields }: SiteSeed) => {
    const { id } = await lectern.sites.create(organization, { ...fields, spaces: keys.map((key) => spaces[key]!) })
    const { urls } = await lectern.sites.publish(organization, id)
    return { id, url: urls.published! }
  }
  return {
    organization,
    users,
    as: Object.fromEntries(Object.entries(users).map(([user, id]) => [user, lectern.as(id)])),
    spaces,
    site: site && (await publish(site))
  } satisfies Seeded<string, string, SiteSeed | undefined> as unknown as Seeded<User, Space, Site>
}
