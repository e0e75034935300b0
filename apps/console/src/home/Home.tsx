/** The first screen: recent pages, and all organizations with their collections, spaces and sites. */
import { emojiCharacters } from "@lectern/document/EmojiCode"
import { useQueries, useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useRouterState } from "@tanstack/react-router"
import { lazy, Suspense, useCallback, useEffect, useState } from "react"
import { Button } from "react-aria-components"
import { queries } from "../api/Queries.ts"
import type { Collection, Organization, Site, Space } from "../api/Resources.ts"
import { useFeed } from "../feed/Feed.ts"
import { useTitle } from "../frame/Bar.tsx"
import { Icon } from "../frame/Icon.tsx"
import { Loading, Problem } from "../frame/Problem.tsx"
import { text, timeAgo } from "../language/Language.ts"
import { newSpaceHash } from "./NewSpaceHash.ts"
import { recents } from "./Recents.ts"
import { SpaceTree } from "./SpaceTree.tsx"

const SpaceSettings = lazy(async () => ({ default: (await import("./SpaceSettings.tsx")).SpaceSettings }))
const CollectionSettings = lazy(async () => ({ default: (await import("./SpaceSettings.tsx")).CollectionSettings }))
const Trash = lazy(async () => ({ default: (await import("./Trash.tsx")).Trash }))
const Waiting = lazy(async () => ({ default: (await import("./Waiting.tsx")).Waiting }))
const NewSpace = lazy(async () => ({ default: (await import("./NewSpace.tsx")).NewSpace }))

/** Number of organizations whose events the screen follows: over HTTP/1.1, a browser has 6 connections to a server. */
const maxFollowed = 2

export const Home = () => {
  useTitle(undefined)
  const { data: organizations, error, refetch } = useQuery(queries.organizations())
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
      {organizations.map((organization, i) => (
        <OrganizationPart
          key={organization.id}
          organization={organization}
          isFirstListed={i === 0}
          followsEvents={i < maxFollowed}
        />
      ))}
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
                {emoji ? <span aria-hidden="true">{emojiCharacters(emoji)}</span> : <Icon name="document" />}
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

/** Dialog that is open in an organization. */
type OpenDialog =
  | { readonly type: "new-space" }
  | { readonly type: "space"; readonly space: Space }
  | { readonly type: "collection"; readonly collection?: Collection }

interface OrganizationProps {
  readonly organization: Organization
  /** True for the organization in which the palette creates a space. */
  readonly isFirstListed: boolean
  /** True if the part shows changes of others without a reload. */
  readonly followsEvents: boolean
}

const OrganizationPart = ({ organization, isFirstListed, followsEvents }: OrganizationProps) => {
  const { id, title } = organization
  useFeed(followsEvents ? id : undefined)
  const [spaces, collections, sites] = useQueries({
    queries: [queries.spaces(id), queries.collections(id), queries.sites(id)]
  })
  const [dialog, setDialog] = useState<OpenDialog>()
  const navigate = useNavigate()
  const hash = useRouterState({ select: ({ location }) => location.hash })
  useEffect(() => {
    if (isFirstListed && hash === newSpaceHash) setDialog({ type: "new-space" })
  }, [hash, isFirstListed])
  const close = () => {
    setDialog(undefined)
    if (hash === newSpaceHash) void navigate({ to: "/", replace: true })
  }
  const openSpace = useCallback((space: Space) => setDialog({ type: "space", space }), [])
  const openCollection = useCallback((collection: Collection) => setDialog({ type: "collection", collection }), [])
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
        <div className="buttons">
          <Link to="/organizations/$organization/members" params={{ organization: id }} className="control">
            <Icon name="user" />
            {text("members.title")}
          </Link>
          <Button className="control" onPress={() => setDialog({ type: "collection" })}>
            <Icon name="folder" />
            {text("collection.new")}
          </Button>
          <Button className="control primary" onPress={() => setDialog({ type: "new-space" })}>
            <Icon name="add" />
            {text("home.newSpace")}
          </Button>
        </div>
      </div>
      {failure && <Problem failure={failure} retry={() => void spaces.refetch()} />}
      {isFirst && <Welcome onNewSpace={() => setDialog({ type: "new-space" })} />}
      {isReady && (
        <Suspense>
          <Waiting organization={id} spaces={spaces.data} />
        </Suspense>
      )}
      {isReady && spaces.data.length + collections.data.length > 0 && (
        <>
          <h3>{text("home.spaces")}</h3>
          <SpaceTree
            organization={organization}
            spaces={spaces.data}
            collections={collections.data}
            onSpace={openSpace}
            onCollection={openCollection}
          />
        </>
      )}
      {publishedSites.length > 0 && <SiteList sites={publishedSites} />}
      <Suspense>
        <Trash organization={id} />
      </Suspense>
      {isReady && dialog !== undefined && (
        <Suspense>
          {dialog.type === "new-space" ? (
            <NewSpace organization={id} collections={collections.data} onClose={close} />
          ) : dialog.type === "space" ? (
            <SpaceSettings space={dialog.space} collections={collections.data} onClose={close} />
          ) : (
            <CollectionSettings
              organization={id}
              collection={dialog.collection}
              collections={collections.data}
              onClose={close}
            />
          )}
        </Suspense>
      )}
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
