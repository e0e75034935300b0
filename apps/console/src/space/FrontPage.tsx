/** The front of a space: goes to its first page, or leads on if the space has none. */
import { useQuery } from "@tanstack/react-query"
import { Navigate, useParams } from "@tanstack/react-router"
import { queries } from "../api/Queries.ts"
import { useTitle } from "../frame/Bar.tsx"
import { Loading, Problem } from "../frame/Problem.tsx"
import { text } from "../language/Language.ts"
import { NewPageButton } from "./NewPage.tsx"
import { firstDocument } from "./PageTree.ts"

export const FrontPage = () => {
  const { space } = useParams({ from: "/spaces/$space/" })
  const { data: pages, error, refetch } = useQuery(queries.pages({ space }))
  const { data: spaceResource } = useQuery(queries.space(space))
  useTitle(spaceResource?.title)
  if (error) return <Problem failure={error} retry={() => void refetch()} />
  if (pages === undefined || spaceResource === undefined) return <Loading />
  const first = firstDocument(pages)
  if (first !== undefined)
    return <Navigate to="/spaces/$space/pages/$page" params={{ space, page: first.id }} replace />
  return (
    <div className="empty">
      <h1>{text("space.empty")}</h1>
      <p>{text(spaceResource.permissions.edit ? "space.emptyText" : "space.emptyForReaders")}</p>
      {spaceResource.permissions.edit && <NewPageButton place={{ space }} isProminent />}
    </div>
  )
}
