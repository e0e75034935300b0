/**
 * Parses the URL of a repository. Credentials are removed from the URL before it is stored. A query or a fragment,
 * which may contain a secret, is rejected.
 */
import { Result } from "effect"
import { decodePercent } from "@lectern/document/PercentEncoding"
import type { GitFolder } from "./GitRemote.ts"
import type { GitCredentials } from "@lectern/core/exchange/GitSyncRow"

export interface ParsedUrl {
  /** URL without credentials and without a trailing slash. */
  readonly url: string
  readonly credentials: GitCredentials | undefined
}

/** Returns the URL of a repository with its credentials, or the problem of an invalid URL. */
export const parse = (text: string): Result.Result<ParsedUrl, string> => {
  if (!URL.canParse(text)) return Result.fail("Expected the URL of a repository, with https://")
  const url = new URL(text)
  if (url.search !== "" || url.hash !== "") return Result.fail("Expected a URL without a query and without a fragment")
  const credentials =
    url.username === "" && url.password === ""
      ? undefined
      : { username: decodePercent(url.username), password: decodePercent(url.password) }
  url.username = ""
  url.password = ""
  return Result.succeed({ url: url.href.replace(/\/+$/, ""), credentials })
}

/** Returns the problem of a URL to display, or undefined if it is valid. */
export const problemOfDisplayed = (text: string): string | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) return "Expected a URL with https://"
  return url.username === "" && url.password === "" ? undefined : "Expected a URL without credentials"
}

/** Returns the path of the repository on its host: `acme/handbook`. */
export const nameOf = ({ url }: Pick<GitFolder, "url">): string => {
  const { host, pathname } = new URL(url)
  return decodePercent(pathname.replace(/^\/+|\/+$/g, "").replace(/\.git$/, "")) || host
}

export const providerOf = ({ url }: Pick<GitFolder, "url">): string => {
  const { hostname } = new URL(url)
  if (hostname === "github.com") return "github"
  return hostname === "gitlab.com" || hostname.startsWith("gitlab.") ? "gitlab" : "git"
}

const branchOf = ({ ref }: Pick<GitFolder, "ref">) => ref.replace(/^refs\/heads\//, "")

/** Returns the web page of the branch, or of the repository if the provider is unknown. */
export const treeOf = (folder: GitFolder): string => {
  const repository = folder.url.replace(/\.git$/, "")
  const branchPath = encodeURI([branchOf(folder), ...(folder.directory === "" ? [] : [folder.directory])].join("/"))
  const provider = providerOf(folder)
  if (provider === "github") return `${repository}/tree/${branchPath}`
  return provider === "gitlab" ? `${repository}/-/tree/${branchPath}` : folder.url
}

/** Returns the web page of a commit; undefined if the provider is unknown. */
export const commitOf = (folder: GitFolder & { readonly commitURL?: string }, oid: string): string | undefined => {
  if (folder.commitURL !== undefined) return `${folder.commitURL.replace(/\/+$/, "")}/${oid}`
  const repository = folder.url.replace(/\.git$/, "")
  const provider = providerOf(folder)
  if (provider === "github") return `${repository}/commit/${oid}`
  return provider === "gitlab" ? `${repository}/-/commit/${oid}` : undefined
}
