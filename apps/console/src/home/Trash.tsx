/** Deleted spaces of an organization that the user may restore. Limit: 50 at a time. */
import { useInfiniteQuery, useMutation } from "@tanstack/react-query"
import { Button } from "react-aria-components"
import { queries } from "../api/Queries.ts"
import { Icon } from "../frame/Icon.tsx"
import { notifyProblem } from "../frame/Notices.tsx"
import { countedText, text, timeAgo } from "../language/Language.ts"
import { refreshSpaces, restoreSpace } from "./SpaceWrites.ts"

export const Trash = ({ organization }: { readonly organization: string }) => {
  const { data, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery(queries.deletedSpaces(organization))
  const restore = useMutation({
    mutationFn: (space: string) => restoreSpace(organization, space),
    onError: (failure) => {
      notifyProblem(failure)
      // Somebody else restored it, or its time is over.
      void refreshSpaces(organization)
    }
  })
  const count = data?.pages[0]?.count ?? 0
  if (data === undefined || count === 0) return null
  return (
    <details className="trash">
      <summary>
        <Icon name="chevron" />
        {countedText("home.trash", count)}
      </summary>
      <p className="muted">{text("home.trashText")}</p>
      <ul className="rows">
        {data.pages
          .flatMap(({ items }) => items)
          .map(({ deletedBy, space: { deletedAt, id, title } }) => (
            <li key={id} className="row">
              <Icon name="trash" />
              <span className="row-title">
                <span dir="auto">{title}</span>
                <span className="muted row-sub">
                  {text("home.deletedBy", { name: deletedBy.displayName, time: timeAgo(deletedAt!) })}
                </span>
              </span>
              <Button
                className="control small"
                aria-label={text("home.restoreSpace", { title })}
                isDisabled={restore.isPending}
                onPress={() => restore.mutate(id)}
              >
                {text("home.restore")}
              </Button>
            </li>
          ))}
      </ul>
      {hasNextPage && (
        <Button className="control" isDisabled={isFetchingNextPage} onPress={() => void fetchNextPage()}>
          {text("action.more")}
        </Button>
      )}
    </details>
  )
}
