/** Screen of a space: the tree of pages at the side, and next to it a page or a change request. */
import { emojiCharacters } from "@lectern/document/EmojiCode"
import { useQuery } from "@tanstack/react-query"
import { Link, Outlet, useParams, useRouterState } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { Button } from "react-aria-components"
import { type ContentPlace, queries } from "../api/Queries.ts"
import { useFeed } from "../feed/Feed.ts"
import { BarPlace } from "../frame/Bar.tsx"
import { Icon } from "../frame/Icon.tsx"
import { Loading, Problem } from "../frame/Problem.tsx"
import { text } from "../language/Language.ts"
import { NewPageButton } from "./NewPage.tsx"
import { PagesPanel } from "./PagesPanel.tsx"
import { PublishButton } from "./Publish.tsx"

/** URL of the style sheet of the text of pages (see `bundle/Console.ts`). */
const contentStyles = document.querySelector<HTMLMetaElement>('meta[name="content-styles"]')!.content

export const SpaceScreen = () => {
  const {
    number,
    page,
    space: id
  } = useParams({ strict: false }) as {
    readonly space: string
    readonly number?: string
    readonly page?: string
  }
  const changeRequest = number !== undefined && /^\d+$/.test(number) ? Number(number) : undefined
  const place: ContentPlace = { space: id, ...(changeRequest !== undefined && { changeRequest }) }
  const { data: space, error, refetch } = useQuery(queries.space(id))
  useFeed(space?.organization)
  const { data: pages, error: pagesError, refetch: refetchPages } = useQuery(queries.pages(place))
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const [isOpen, setOpen] = useState(false)
  // On a narrow screen the tree covers the page, until a page is chosen.
  useEffect(() => setOpen(false), [path])

  if (error) return <Problem failure={error} retry={() => void refetch()} />
  if (space === undefined) return <Loading />
  const openRequests = space.changeRequestsOpen + space.changeRequestsDraft
  return (
    <div className="space">
      <link rel="stylesheet" href={contentStyles} precedence="default" />
      <BarPlace>
        <Button
          className="plain square narrow-only"
          aria-label={text("space.pages")}
          aria-expanded={isOpen}
          aria-controls="side"
          onPress={() => setOpen(!isOpen)}
        >
          <Icon name="menu" />
        </Button>
        <Link to="/spaces/$space" params={{ space: id }} className="bar-title">
          <span aria-hidden="true">{emojiCharacters(space.emoji)}</span>
          <span dir="auto">{space.title}</span>
        </Link>
        {changeRequest !== undefined && (
          <Link
            to="/spaces/$space/changes/$number"
            params={{ space: id, number: String(changeRequest) }}
            className="badge bar-change"
          >
            {text("changes.number", { number: changeRequest })}
          </Link>
        )}
      </BarPlace>
      <div id="side" className={isOpen ? "side open" : "side"}>
        <nav className="side-nav" aria-label={text("space.navigation")}>
          <Link to="/spaces/$space/changes" params={{ space: id }} activeOptions={{ exact: true }}>
            <Icon name="edit" />
            {text("changes.title")}
            {openRequests > 0 && <span className="count">{openRequests}</span>}
          </Link>
          {space.permissions.admin && <PublishButton space={space} />}
        </nav>
        {pagesError && <Problem failure={pagesError} retry={() => void refetchPages()} />}
        {pages && (
          <PagesPanel
            place={place}
            pages={pages}
            selected={page}
            canChange={changeRequest !== undefined && space.permissions.edit}
          />
        )}
        {space.permissions.edit && (
          <div className="side-foot">
            <NewPageButton place={place} />
          </div>
        )}
      </div>
      {/* The keys of the cursor scroll it. */}
      <div className="beside" role="region" aria-label={text("space.content")} tabIndex={0}>
        <Outlet />
      </div>
    </div>
  )
}
