/** The notifications of the user, newest first. Opening one marks it as read. */
import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query"
import { Link as RouteLink } from "@tanstack/react-router"
import { useState } from "react"
import { Button, Label, Link, Radio, RadioGroup } from "react-aria-components"
import type { Notification } from "../api/Resources.ts"
import { useTitle } from "../frame/Bar.tsx"
import { Icon } from "../frame/Icon.tsx"
import { notifyProblem } from "../frame/Notices.tsx"
import { Loading, Problem } from "../frame/Problem.tsx"
import { countedText, text, timeAgo } from "../language/Language.ts"
import { markAllRead, markRead, notificationQueries } from "./NotificationQueries.ts"
import { pathOf, sentenceOf } from "./NotificationText.ts"

export const Notifications = () => {
  const [onlyUnread, setOnlyUnread] = useState(false)
  const { data: unread = 0 } = useQuery(notificationQueries.unread())
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery(
    notificationQueries.list(onlyUnread)
  )
  useTitle(text("inbox.title"))
  const items = data?.pages.flatMap((page) => page.items)
  const newest = items?.[0]
  const markAll = useMutation({ mutationFn: markAllRead, onError: notifyProblem })
  return (
    <div className="sheet">
      <div className="section-head">
        <h1>{text("inbox.title")}</h1>
        <RouteLink to="/account" hash="notifications" className="control small">
          <Icon name="settings" />
          {text("inbox.settings")}
        </RouteLink>
      </div>
      <div className="section-head">
        <RadioGroup
          className="choice"
          value={onlyUnread ? "unread" : "all"}
          orientation="horizontal"
          onChange={(value) => setOnlyUnread(value === "unread")}
        >
          <Label className="hidden">{text("inbox.filter")}</Label>
          <Radio value="all">{text("inbox.all")}</Radio>
          <Radio value="unread">{text("inbox.unread")}</Radio>
        </RadioGroup>
        {newest !== undefined && unread > 0 && (
          <Button className="control small" isDisabled={markAll.isPending} onPress={() => markAll.mutate(newest.id)}>
            {text("inbox.markAll")}
          </Button>
        )}
      </div>
      <p className="hidden" role="status">
        {countedText("inbox.count", unread)}
      </p>
      {error && <Problem failure={error} retry={() => void refetch()} />}
      {items === undefined && !error && <Loading />}
      {items?.length === 0 && (
        <div className="empty">
          <Icon name="bell" />
          <p>{text(onlyUnread ? "inbox.noneUnread" : "inbox.none")}</p>
        </div>
      )}
      {items !== undefined && items.length > 0 && (
        <ul className="rows inbox">
          {items.map((notification) => (
            <NotificationRow key={notification.id} notification={notification} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button className="control" isDisabled={isFetchingNextPage} onPress={() => void fetchNextPage()}>
          {text("action.more")}
        </Button>
      )}
    </div>
  )
}

const NotificationRow = ({ notification }: { readonly notification: Notification }) => {
  const { comment, createdAt, id, read, space } = notification
  const mark = useMutation({ mutationFn: (next: boolean) => markRead(id, next), onError: notifyProblem })
  const path = pathOf(notification)
  const content = (
    <>
      <span className="inbox-text" dir="auto">
        {!read && <span className="hidden">{text("inbox.isUnread")} </span>}
        {sentenceOf(notification)}
      </span>
      {comment && comment.text !== "" && (
        <span className="inbox-quote" dir="auto">
          {comment.text}
        </span>
      )}
      <span className="muted">
        {space && (
          <>
            <span dir="auto">{space.title}</span> ·{" "}
          </>
        )}
        {timeAgo(createdAt)}
      </span>
    </>
  )
  return (
    <li className="inbox-row" data-read={read}>
      {path === undefined ? (
        <div className="row">{content}</div>
      ) : (
        <Link
          className="row"
          href={path}
          onPress={() => {
            if (!read) mark.mutate(true)
          }}
        >
          {content}
        </Link>
      )}
      <Button
        className="plain square"
        aria-label={`${text(read ? "inbox.markUnread" : "inbox.markRead")}: ${sentenceOf(notification)}`}
        isDisabled={mark.isPending}
        onPress={() => mark.mutate(!read)}
      >
        <span className="inbox-dot" />
      </Button>
    </li>
  )
}
