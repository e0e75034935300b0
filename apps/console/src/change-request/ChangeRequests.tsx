/** The change requests of a space, newest first. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { Link, useParams } from "@tanstack/react-router"
import { useState } from "react"
import { Button, Label, Radio, RadioGroup } from "react-aria-components"
import { queries } from "../api/Queries.ts"
import { useTitle } from "../frame/Bar.tsx"
import { Loading, Problem } from "../frame/Problem.tsx"
import { text, timeAgo } from "../language/Language.ts"

const filters = {
  current: ["draft", "open"],
  merged: ["merged"],
  archived: ["archived"]
} as const

type Filter = keyof typeof filters

export const ChangeRequests = () => {
  const { space } = useParams({ from: "/spaces/$space/changes" })
  const [filter, setFilter] = useState<Filter>("current")
  const { data: user } = useQuery(queries.me())
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery(
    queries.changeRequests(space, filters[filter])
  )
  useTitle(text("changes.title"))
  const items = data?.pages.flatMap((page) => page.items)
  return (
    <div className="sheet">
      <h1>{text("changes.title")}</h1>
      <p className="lead">{text("changes.about")}</p>
      <RadioGroup
        className="choice"
        value={filter}
        orientation="horizontal"
        onChange={(value) => setFilter(value as Filter)}
      >
        <Label className="hidden">{text("changes.filter")}</Label>
        {(Object.keys(filters) as ReadonlyArray<Filter>).map((name) => (
          <Radio key={name} value={name}>
            {text(`changes.filter.${name}`)}
          </Radio>
        ))}
      </RadioGroup>
      {error && <Problem failure={error} retry={() => void refetch()} />}
      {items === undefined && !error && <Loading />}
      {items?.length === 0 && (
        <div className="empty">
          <p>{text(`changes.none.${filter}`)}</p>
        </div>
      )}
      <ul className="rows">
        {items?.map(({ id, number, subject, status, createdBy, updatedAt, outdated }) => (
          <li key={id}>
            <Link to="/spaces/$space/changes/$number" params={{ space, number: String(number) }} className="row">
              <span className="row-title">
                <span dir="auto">{subject || text("changes.noSubject")}</span>
                <span className="muted row-sub">
                  {text("changes.line", {
                    number,
                    name: createdBy.id === user?.id ? text("changes.you") : createdBy.displayName,
                    time: timeAgo(updatedAt)
                  })}
                </span>
              </span>
              {outdated && <span className="badge quiet">{text("changes.outdated")}</span>}
              <span className="badge" data-status={status}>
                {text(`changes.status.${status}`)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button className="control" isDisabled={isFetchingNextPage} onPress={() => void fetchNextPage()}>
          {text("action.more")}
        </Button>
      )}
    </div>
  )
}
