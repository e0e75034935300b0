/** A page as members read it, with the button that opens it in a change request. */
import { emojiCharacters } from "@lectern/document/EmojiCode"
import { useMutation, useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useParams, useRouterState } from "@tanstack/react-router"
import { useEffect } from "react"
import { Button } from "react-aria-components"
import { type ContentPlace, queries } from "../api/Queries.ts"
import { Discussion } from "../comment/Discussion.tsx"
import { BarActions, useTitle } from "../frame/Bar.tsx"
import { Icon } from "../frame/Icon.tsx"
import { notify, notifyProblem } from "../frame/Notices.tsx"
import { Loading, NotFound, Problem } from "../frame/Problem.tsx"
import { addRecent } from "../home/Recents.ts"
import { text, timeAgo } from "../language/Language.ts"
import { openDraft } from "./Draft.ts"
import { PageContent } from "./PageContent.tsx"
import { childrenOf, findPage, titleOf } from "./PageTree.ts"

export const ReadPage = () => {
  const { page: id, space } = useParams({ from: "/spaces/$space/pages/$page" })
  const place = { space }
  const { data: pages, error, refetch } = useQuery(queries.pages(place))
  const placed = findPage(pages ?? [], id)
  const page = placed?.page
  const { data: spaceResource } = useQuery(queries.space(space))
  useTitle(page?.title)
  const spaceTitle = spaceResource?.title
  useEffect(() => {
    if (page !== undefined && spaceTitle !== undefined)
      addRecent({ space, page: page.id, title: titleOf(page), emoji: page.emoji, spaceTitle })
  }, [page, space, spaceTitle])
  if (error) return <Problem failure={error} retry={() => void refetch()} />
  if (pages === undefined) return <Loading />
  if (placed === undefined || page === undefined) return <NotFound />
  const { parents } = placed
  return (
    <article className="sheet">
      {spaceResource && page.type === "document" && (
        <EditAction space={space} page={id} title={page.title} isAllowed={spaceResource.permissions.edit} />
      )}
      {parents.length > 0 && (
        <nav className="trail" aria-label={text("page.parents")}>
          {parents.map((parent) => (
            <span key={parent.id} dir="auto">
              {parent.type === "document" ? (
                <Link to="/spaces/$space/pages/$page" params={{ space, page: parent.id }}>
                  {titleOf(parent)}
                </Link>
              ) : (
                titleOf(parent)
              )}
            </span>
          ))}
        </nav>
      )}
      <h1 dir="auto">
        {page.emoji && <span aria-hidden="true">{emojiCharacters(page.emoji)} </span>}
        {page.title}
      </h1>
      {page.type === "document" && page.description && (
        <p className="lead" dir="auto">
          {page.description}
        </p>
      )}
      {page.type === "document" ? (
        <ReadText place={place} page={page.id} />
      ) : (
        <ul className="rows">
          {childrenOf(page).map((child) => (
            <li key={child.id}>
              <Link to="/spaces/$space/pages/$page" params={{ space, page: child.id }} className="row" dir="auto">
                {titleOf(child)}
              </Link>
            </li>
          ))}
        </ul>
      )}
      <p className="muted sheet-foot">{text("page.updated", { time: timeAgo(page.updatedAt) })}</p>
      {spaceResource && <Discussion key={page.id} place={place} space={spaceResource} page={page.id} />}
    </article>
  )
}

/** The text, with its expressions evaluated and its reusable contents included, as in a site. */
const ReadText = ({ place, page }: { readonly place: ContentPlace; readonly page: string }) => {
  const { data: document, error, refetch } = useQuery(queries.document(place, page))
  if (error) return <Problem failure={error} retry={() => void refetch()} />
  return document === undefined ? <Loading /> : <PageContent place={place} document={document} />
}

interface EditActionProps {
  readonly space: string
  readonly page: string
  readonly title: string
  readonly isAllowed: boolean
}

/** Part of the URL behind "#" with which a published site opens a page for editing. */
const editHash = "edit"

/** The button that opens the page in a draft. A link of a published site opens the draft at once. */
const EditAction = ({ space, page, title, isAllowed }: EditActionProps) => {
  const navigate = useNavigate()
  const hash = useRouterState({ select: ({ location }) => location.hash })
  const edit = useMutation({
    mutationFn: () => openDraft(space, text("draft.subject", { title })),
    onSuccess: (number) =>
      navigate({ to: "/spaces/$space/changes/$number/pages/$page", params: { space, number: String(number), page } }),
    onError: notifyProblem
  })
  const { mutate } = edit
  useEffect(() => {
    if (hash !== editHash) return
    // The entry of the link in the history becomes the page for reading: the Back button must not open another draft.
    void navigate({ to: "/spaces/$space/pages/$page", params: { space, page }, replace: true })
    if (isAllowed) mutate()
    else notify(text("page.mayNotEdit"))
  }, [hash, isAllowed, mutate, navigate, page, space])
  if (!isAllowed) return null
  return (
    <BarActions>
      <Button className="control primary" isDisabled={edit.isPending} onPress={() => mutate()}>
        <Icon name="edit" />
        {text("page.edit")}
      </Button>
    </BarActions>
  )
}
