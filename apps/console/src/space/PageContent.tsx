/**
 * The text of a page as readers of a site see it: the renderer of sites renders it here. Code has no colors, formulas
 * are shown as TeX, and blocks of integrations and of API descriptions are left out.
 */
import { emojiCharacters } from "@lectern/document/EmojiCode"
import type { ContentRef, Document } from "@lectern/document/Document"
import type { LinkTarget } from "@lectern/site/document/BlockRenderer"
import { renderPage } from "@lectern/site/document/Blocks"
import { completeMessages, type LocalizedMessages } from "@lectern/site/page/messages/CompleteMessages"
import type { Messages } from "@lectern/site/page/messages/Messages"
import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useMemo } from "react"
import { type ContentPlace, queries } from "../api/Queries.ts"
import type { File, Member, Page } from "../api/Resources.ts"
import { Loading, Problem } from "../frame/Problem.tsx"
import { currentLanguage, type Language, text } from "../language/Language.ts"
import { findPage } from "./PageTree.ts"

const texts: { readonly [language in Language]: () => Promise<{ readonly default: Messages }> } = {
  en: () => import("@lectern/site/page/messages/en.json", { with: { type: "json" } }),
  de: () => import("@lectern/site/page/messages/de.json", { with: { type: "json" } }),
  ar: () => import("@lectern/site/page/messages/ar.json", { with: { type: "json" } })
}

const messages = {
  queryKey: ["site-messages"],
  staleTime: Infinity,
  queryFn: async (): Promise<LocalizedMessages> => {
    const language = currentLanguage()
    const { default: all } = await texts[language]()
    return completeMessages(all, { language, direction: language === "ar" ? "rtl" : "ltr" })
  }
}

interface Content {
  readonly space: string
  readonly members: ReadonlyArray<Member>
  readonly pages: ReadonlyArray<Page>
  readonly files: ReadonlyArray<File>
}

/** Returns the target of a reference: a page or file of the space, a person, or another website. */
const targetOf = ({ space, members, pages, files }: Content, ref: ContentRef): LinkTarget | undefined => {
  switch (ref.kind) {
    case "url":
      return /^[/#?]/.test(ref.url) || URL.canParse(ref.url) ? { url: ref.url, title: ref.url } : undefined
    case "page":
    case "anchor": {
      const anchor = ref.kind === "anchor" ? `#${encodeURIComponent(ref.anchor)}` : ""
      if (ref.page === undefined) return { url: anchor, title: anchor.slice(1) }
      if (ref.space !== undefined && ref.space !== space)
        return { url: `/spaces/${ref.space}/pages/${ref.page}${anchor}`, title: text("page.elsewhere") }
      const page = findPage(pages, ref.page)?.page
      return (
        page && {
          url: `/spaces/${space}/pages/${page.id}${anchor}`,
          title: page.title,
          ...(page.emoji !== undefined && { emoji: emojiCharacters(page.emoji) }),
          ...(page.type === "document" && page.description !== undefined && { description: page.description })
        }
      )
    }
    case "user": {
      const member = members.find(({ id }) => id === ref.user)
      return { title: member?.user.displayName ?? text("page.user") }
    }
    case "space":
      return { url: `/spaces/${ref.space}`, title: text("page.otherSpace") }
    case "file": {
      const file = files.find(({ id }) => id === ref.file)
      return file && { url: file.downloadURL, title: file.name, file }
    }
    default:
      return undefined
  }
}

/** True if a document refers to a kind of things, which are read only then. */
const refersTo = (kind: ContentRef["kind"], { nodes }: Document): boolean =>
  JSON.stringify(nodes).includes(`"kind":"${kind}"`)

interface PageContentProps {
  readonly place: ContentPlace
  readonly document: Document
}

export const PageContent = ({ place, document }: PageContentProps) => {
  const navigate = useNavigate()
  const { data: pages } = useQuery(queries.pages(place))
  const { data: localized, error } = useQuery(messages)
  const hasFiles = useMemo(() => refersTo("file", document), [document])
  const hasMentions = useMemo(() => refersTo("user", document), [document])
  const { data: files, error: filesError } = useQuery({ ...queries.files(place), enabled: hasFiles })
  const { data: space } = useQuery({ ...queries.space(place.space), enabled: hasMentions })
  // Guests can't list the members. Mentions have no names for them.
  const { data: members } = useQuery({
    ...queries.members(space?.organization ?? ""),
    enabled: space !== undefined && hasMentions
  })
  const isReady = pages !== undefined && localized !== undefined && (!hasFiles || files !== undefined)
  const html = useMemo(
    () =>
      isReady
        ? renderPage(
            {
              targetOf: (ref) =>
                targetOf({ space: place.space, members: members ?? [], pages, files: files ?? [] }, ref),
              messages: localized,
              highlight: () => undefined,
              formula: () => undefined,
              icon: () => undefined,
              integration: () => undefined,
              api: () => undefined,
              opensNewWindows: true,
              theme: {}
            },
            document.nodes
          ).text
        : undefined,
    [document, files, isReady, localized, members, pages, place.space]
  )
  const failure = error ?? filesError
  if (failure) return <Problem failure={failure} />
  if (html === undefined) return <Loading />
  return (
    // The links inside are real links. The handler only avoids to load the console again. The renderer escapes all texts
    // of documents, and the policy of the page allows no scripts and styles in them.
    <div
      className="content"
      dir="auto"
      dangerouslySetInnerHTML={{ __html: html }}
      onClick={(event) => {
        const link = (event.target as Element).closest<HTMLAnchorElement>('a[href^="/spaces/"]')
        if (link === null || event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        void navigate({ href: link.pathname + link.hash })
      }}
    />
  )
}
