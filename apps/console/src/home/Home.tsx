/** The first screen: recent pages, and all organizations with their collections, spaces and sites. */
import { useQueries, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { Button } from "react-aria-components"
import { queries } from "../api/Queries.ts"
import type { Collection, Organization, Site, Space } from "../api/Resources.ts"
import { useTitle } from "../frame/Bar.tsx"
import { Icon } from "../frame/Icon.tsx"
import { Loading, Problem } from "../frame/Problem.tsx"
import { countedText, text, timeAgo } from "../language/Language.ts"
import { recents } from "./Recents.ts"

const NewSpace = lazy(async () => ({ default: (await import("./NewSpace.tsx")).NewSpace }))

export const Home = () => {
  useTitle(undefined)
  const { data: organizations, error, refetch } = useQuery(queries.organizations())
  const [newSpaceIn, setNewSpaceIn] = useState<string>()
  if (error) return <Problem failure={error} retry={() => void refetch()} />
  if (organizations === undefined) return <Loading />
  return (
    <div className="page">
      <h1 className="hidden">{text("home.title")}</h1>
      <Recents />
      {organizations.length === 0 && (
        <div className="empty">
          <h2>{text("home.noOrganization")}</h2>
          <p>{text("home.noOrganizationText")}</p>
        </div>
      )}
      {organizations.map((organization) => (
        <OrganizationPart
          key={organization.id}
          organization={organization}
          onNewSpace={() => setNewSpaceIn(organization.id)}
        />
      ))}
      {newSpaceIn !== undefined && (
        <Suspense>
          <NewSpace organization={newSpaceIn} onClose={() => setNewSpaceIn(undefined)} />
        </Suspense>
      )}
    </div>
  )
}

const Recents = () => {
  const [items] = useState(recents)
  if (items.length === 0) return null
  return (
    <section aria-labelledby="recent">
      <h2 id="recent">{text("home.recent")}</h2>
      <ul className="recents">
        {items.slice(0, 4).map(({ page, space, title, emoji, spaceTitle, at }) => (
          <li key={`${space} ${page}`}>
            <Link to="/spaces/$space/pages/$page" params={{ space, page }} className="recent">
              <span className="recent-title">
                {emoji ? <span aria-hidden="true">{emoji}</span> : <Icon name="document" />}
                <span dir="auto">{title}</span>
              </span>
              <span className="muted">
                <span dir="auto">{spaceTitle}</span> · {timeAgo(new Date(at).toISOString())}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface OrganizationProps {
  readonly organization: Organization
  readonly onNewSpace: () => void
}

const OrganizationPart = ({ organization: { id, title }, onNewSpace }: OrganizationProps) => {
  const [spaces, collections, sites] = useQueries({
    queries: [queries.spaces(id), queries.collections(id), queries.sites(id)]
  })
  const failure = spaces.error ?? collections.error
  // Guests see no sites. The rest of the screen is for them as well.
  const publishedSites = (sites.data ?? []).filter(({ published }) => published)
  const isReady = spaces.data !== undefined && collections.data !== undefined
  const isFirst = isReady && spaces.data.every((space) => isManual(space))
  return (
    <section aria-labelledby={id}>
      <div className="section-head">
        <h2 id={id} dir="auto">
          {title}
        </h2>
        <Button className="control primary" onPress={onNewSpace}>
          <Icon name="add" />
          {text("home.newSpace")}
        </Button>
      </div>
      {failure && <Problem failure={failure} retry={() => void spaces.refetch()} />}
      {isFirst && <Welcome onNewSpace={onNewSpace} />}
      {isReady && spaces.data.length > 0 && (
        <SpaceList spaces={spaces.data} collections={collections.data} parent={undefined} />
      )}
      {publishedSites.length > 0 && <SiteList sites={publishedSites} />}
    </section>
  )
}

/** True for a space that the first start made. */
const isManual = ({ title }: Space): boolean => /^Lectern documentation(:|$)/.test(title)

/** Leads on from the first start, when there are no spaces but those of the manual. */
const Welcome = ({ onNewSpace }: { readonly onNewSpace: () => void }) => (
  <div className="welcome">
    <h3>{text("home.welcome")}</h3>
    <ol>
      <li>{text("home.welcomeSpace")}</li>
      <li>{text("home.welcomeWrite")}</li>
      <li>{text("home.welcomePublish")}</li>
    </ol>
    <Button className="control primary" onPress={onNewSpace}>
      {text("home.welcomeStart")}
    </Button>
  </div>
)

interface SpaceListProps {
  readonly spaces: ReadonlyArray<Space>
  readonly collections: ReadonlyArray<Collection>
  readonly parent: string | undefined
}

const SpaceList = ({ spaces, collections, parent }: SpaceListProps) => (
  <ul className="rows">
    {collections
      .filter((collection) => collection.parent === parent)
      .map(({ id, title }) => (
        <li key={id}>
          <details open>
            <summary>
              <Icon name="chevron" />
              <Icon name="folder" />
              <span dir="auto">{title}</span>
            </summary>
            <SpaceList spaces={spaces} collections={collections} parent={id} />
          </details>
        </li>
      ))}
    {spaces
      .filter((space) => space.parent === parent)
      .map(({ id, title, emoji, changeRequestsOpen, changeRequestsDraft, updatedAt }) => (
        <li key={id}>
          <Link to="/spaces/$space" params={{ space: id }} className="row">
            <span className="row-emoji" aria-hidden="true">
              {emoji}
            </span>
            <span className="row-title" dir="auto">
              {title}
            </span>
            {changeRequestsOpen + changeRequestsDraft > 0 && (
              <span className="badge">
                {countedText("home.changeRequests", changeRequestsOpen + changeRequestsDraft)}
              </span>
            )}
            <span className="muted row-time">{timeAgo(updatedAt)}</span>
          </Link>
        </li>
      ))}
  </ul>
)

const SiteList = ({ sites }: { readonly sites: ReadonlyArray<Site> }) => (
  <>
    <h3>{text("home.sites")}</h3>
    <ul className="rows">
      {sites.map(({ id, title, urls: { published } }) => (
        <li key={id}>
          <a href={published} className="row" target="_blank" rel="noreferrer">
            <Icon name="globe" />
            <span className="row-title" dir="auto">
              {title}
            </span>
            <span className="muted row-time" dir="ltr">
              {published?.replace(/^https?:\/\/|\/$/g, "")}
            </span>
          </a>
        </li>
      ))}
    </ul>
  </>
)
