/** The changes of a change request, page by page. The changes of a page are read when the page is opened. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { type ContentPlace, queries } from "../api/Queries.ts"
import type { BlockChange, Change, Changes } from "../api/Resources.ts"
import { BlockComments } from "../comment/BlockComments.tsx"
import { Icon } from "../frame/Icon.tsx"
import { Loading, Problem } from "../frame/Problem.tsx"
import { blockName, countedText, text } from "../language/Language.ts"
import { blockKey, blockText, blockType } from "./BlockText.ts"

interface ChangedPagesProps {
  readonly space: string
  readonly number: number
  readonly changes: Changes
  readonly canEdit: boolean
}

type PageChange = Extract<Change, { readonly page: unknown }>

const isPageChange = (change: Change): change is PageChange => "page" in change

/** Pages up to this number are open at first. */
const openAtFirst = 5

interface ChangedPage {
  readonly page: PageChange["page"]
  readonly changes: ReadonlyArray<PageChange>
}

/** Returns the changes of each page together: a page may be moved and edited. */
const byPage = (changes: ReadonlyArray<PageChange>): ReadonlyArray<ChangedPage> =>
  Array.from(Map.groupBy(changes, ({ page }) => page.id).values(), (group) => ({
    page: group[0]!.page,
    changes: group
  }))

export const ChangedPages = ({ space, number, changes: { changes, more }, canEdit }: ChangedPagesProps) => {
  const pages = byPage(changes.filter(isPageChange))
  const others = changes.filter((change) => !isPageChange(change))
  return (
    <section aria-labelledby="changed">
      <h2 id="changed">{countedText("changes.pages", pages.length)}</h2>
      {pages.map((changed, i) => (
        <PagePart
          key={changed.page.id}
          space={space}
          number={number}
          changed={changed}
          isOpenAtFirst={i < openAtFirst}
          canEdit={canEdit}
        />
      ))}
      {others.length > 0 && (
        <ul className="plain-list">
          {others.map((change, i) => (
            <li key={i}>
              {text(`change.${change.type}`)} <span dir="auto">{nameOf(change)}</span>
            </li>
          ))}
        </ul>
      )}
      {more !== undefined && <p className="muted">{countedText("changes.more", more)}</p>}
    </section>
  )
}

const nameOf = (change: Change): string =>
  "file" in change
    ? change.file.name
    : "reusableContent" in change
      ? change.reusableContent.title
      : "variables" in change
        ? Object.keys(change.variables).join(", ")
        : ""

interface PagePartProps {
  readonly space: string
  readonly number: number
  readonly changed: ChangedPage
  readonly isOpenAtFirst: boolean
  readonly canEdit: boolean
}

const PagePart = ({ space, number, changed: { page, changes }, isOpenAtFirst, canEdit }: PagePartProps) => {
  const hasText = page.type === "document" && changes.some(({ type }) => type !== "page_moved")
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const isDeleted = changes.some(({ type }) => type === "page_deleted")
  return (
    <details className="changed-page" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="chevron" />
        <strong dir="auto">{page.title}</strong>
        {changes.map(({ type }) => (
          <span key={type} className="badge" data-change={type}>
            {text(`change.${type}`)}
          </span>
        ))}
      </summary>
      {canEdit && !isDeleted && page.type === "document" && (
        <Link
          className="control small"
          to="/spaces/$space/changes/$number/pages/$page"
          params={{ space, number: String(number), page: page.id }}
        >
          {text("page.edit")}
        </Link>
      )}
      {changes.map((change) => (
        <Attributes key={change.type} change={change} />
      ))}
      {isOpen && hasText && <TextChanges space={space} number={number} page={page.id} />}
    </details>
  )
}

/** Changes of fields of a page, and its move. The change of the text follows by block. */
const Attributes = ({ change }: { readonly change: PageChange }) => {
  if (change.type === "page_moved")
    return (
      <p>
        {text("change.moved", {
          before: change.parent.before?.title ?? text("change.top"),
          after: change.parent.after?.title ?? text("change.top")
        })}
      </p>
    )
  if (change.type !== "page_edited") return null
  const fields = Object.entries(change.attributes).filter(([name]) => name !== "document")
  if (fields.length === 0) return null
  return (
    <dl className="fields">
      {fields.map(([name, { after, before }]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd dir="auto">
            {before !== undefined && before !== null && <del>{blockText(before)}</del>}{" "}
            {after !== undefined && after !== null && <ins>{blockText(after)}</ins>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

interface TextChangesProps {
  readonly space: string
  readonly number: number
  readonly page: string
}

const TextChanges = ({ space, number, page }: TextChangesProps) => {
  const { data, error, refetch } = useQuery(queries.pageChanges(space, number, page))
  if (error) return <Problem failure={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading />
  return (
    <div className="difference">
      {data.changes.map((change, i) => (
        <BlockPart key={i} place={{ space, changeRequest: number }} page={page} change={change} />
      ))}
      {data.more !== undefined && <p className="muted">{countedText("changes.moreBlocks", data.more)}</p>}
    </div>
  )
}

const runElements = { equal: "span", inserted: "ins", deleted: "del" } as const

interface BlockPartProps {
  readonly place: ContentPlace
  readonly page: string
  readonly change: BlockChange
}

const BlockPart = ({ place: contentPlace, page, change }: BlockPartProps) => {
  const block = change.type === "block_edited" ? change.after : change.block
  const key = blockKey(block)
  const place = change.inside?.map(({ title, type }) => title ?? blockName(type)).join(" › ")
  const isOnlyData = change.type === "block_edited" && change.text.every(({ kind }) => kind === "equal")
  return (
    <div className="block-change" data-change={change.type} data-block-type={blockType(block)}>
      <p className="block-change-head">
        {text(`change.${change.type}`)}
        {change.type === "block_edited" && change.moved && ` · ${text("change.block_moved")}`}
        {isOnlyData && ` · ${text("change.onlyData")}`}
        {place && (
          <span className="muted" dir="auto">
            {" "}
            {place}
          </span>
        )}
      </p>
      <div className="block-text" dir="auto">
        {change.type === "block_edited" ? (
          change.text.map(({ kind, text: run }, i) => {
            const Run = runElements[kind]
            return <Run key={i}>{run}</Run>
          })
        ) : change.type === "block_added" ? (
          <ins>{blockText(block) || blockName(blockType(block))}</ins>
        ) : change.type === "block_removed" ? (
          <del>{blockText(block) || blockName(blockType(block))}</del>
        ) : (
          blockText(block) || blockName(blockType(block))
        )}
      </div>
      {change.type !== "block_removed" && key !== "" && <BlockComments place={contentPlace} page={page} node={key} />}
    </div>
  )
}
