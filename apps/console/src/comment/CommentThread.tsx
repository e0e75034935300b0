/** A comment with its replies: reading, replying, reacting, resolving, and for authors changing and deleting. */
import type { Document } from "@lectern/document/Document"
import { useMutation, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useEffect, useRef, useState } from "react"
import { Button, Menu, MenuItem, MenuTrigger, Popover, ToggleButton } from "react-aria-components"
import { type ContentPlace, queries } from "../api/Queries.ts"
import type { Comment, CommentReply } from "../api/Resources.ts"
import { Avatar } from "../frame/Avatar.tsx"
import { Icon } from "../frame/Icon.tsx"
import { notifyProblem } from "../frame/Notices.tsx"
import { FormProblem } from "../frame/Problem.tsx"
import { Window } from "../frame/Window.tsx"
import { countedText, text, timeAgo } from "../language/Language.ts"
import { PageContent } from "../space/PageContent.tsx"
import { CommentForm } from "./CommentForm.tsx"
import { commentMarkdown, commentQueries, deleteComment, postReply, updateComment } from "./CommentQueries.ts"

const reactions = ["👍", "❤️", "🎉", "😄", "🤔", "👀"] as const

interface CommentThreadProps {
  readonly place: ContentPlace
  readonly organization: string
  readonly comment: Comment
  /** True to name the page and the block that the comment is about. */
  readonly showsTarget: boolean
  /** True for the comment that the URL leads to. */
  readonly isLinked?: boolean
}

export const CommentThread = ({ place, organization, comment, showsTarget, isLinked = false }: CommentThreadProps) => {
  const { id, permissions, replies: replyCount, resolvedBy, status, target } = comment
  const [isReplying, setReplying] = useState(false)
  const { data: replies } = useQuery({ ...commentQueries.replies(place, id), enabled: replyCount > 0 })
  const resolve = useMutation({
    mutationFn: (resolved: boolean) => updateComment(place, id, undefined, { resolved }),
    onError: notifyProblem
  })
  const element = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isLinked) element.current?.scrollIntoView({ block: "center" })
  }, [isLinked])
  return (
    <article
      id={`comment-${id}`}
      ref={element}
      className="thread"
      data-linked={isLinked || undefined}
      aria-label={text("comment.by", { name: comment.postedBy.displayName })}
    >
      {showsTarget && target.page && (
        <p className="muted thread-target">
          <Link
            to={
              place.changeRequest === undefined
                ? "/spaces/$space/pages/$page"
                : "/spaces/$space/changes/$number/pages/$page"
            }
            params={{ space: place.space, number: String(place.changeRequest ?? ""), page: target.page.id }}
            dir="auto"
          >
            {target.page.title}
          </Link>
          {target.page.outdated && <span className="badge quiet">{text("comment.outdated")}</span>}
          {target.node && target.node.preview !== "" && (
            <span className="inbox-quote" dir="auto">
              {target.node.preview}
            </span>
          )}
        </p>
      )}
      <Entry place={place} organization={organization} comment={id} entry={comment} />
      {replies && replies.items.length > 0 && (
        <ul className="replies" aria-label={countedText("comment.replies", replyCount)}>
          {replies.items.map((reply) => (
            <li key={reply.id}>
              <Entry place={place} organization={organization} comment={id} entry={reply} isReply />
            </li>
          ))}
        </ul>
      )}
      {status === "resolved" && resolvedBy && (
        <p className="muted">{text("comment.resolvedBy", { name: resolvedBy.displayName })}</p>
      )}
      {isReplying ? (
        <CommentForm
          draftKey={`reply ${id}`}
          organization={organization}
          label={text("comment.reply")}
          action={text("comment.reply")}
          hasFocus
          onSend={(markdown) => postReply(place, id, markdown)}
          onCancel={() => setReplying(false)}
        />
      ) : (
        permissions.reply && (
          <div className="buttons">
            <Button className="control small" onPress={() => setReplying(true)}>
              {text("comment.reply")}
            </Button>
            <Button
              className="control small"
              isDisabled={resolve.isPending}
              onPress={() => resolve.mutate(status === "open")}
            >
              {text(status === "open" ? "comment.resolve" : "comment.reopen")}
            </Button>
          </div>
        )
      )}
    </article>
  )
}

interface EntryProps {
  readonly place: ContentPlace
  readonly organization: string
  readonly comment: string
  readonly entry: Comment | CommentReply
  readonly isReply?: boolean
}

/** A comment or a reply: its author, its text, its reactions, and its menu. */
const Entry = ({ place, organization, comment, entry, isReply = false }: EntryProps) => {
  const { body, editedAt, permissions, postedAt, postedBy } = entry
  const reply = isReply ? entry.id : undefined
  const [markdown, setMarkdown] = useState<string>()
  const [isDeleting, setDeleting] = useState(false)
  const edit = useMutation({
    mutationFn: () => commentMarkdown(place, comment, reply),
    onSuccess: setMarkdown,
    onError: notifyProblem
  })
  const remove = useMutation({
    mutationFn: () => deleteComment(place, comment, reply),
    onSuccess: () => setDeleting(false)
  })
  return (
    <div className="entry">
      <div className="entry-head">
        <span className="avatar small" aria-hidden="true">
          <Avatar name={postedBy.displayName} />
        </span>
        <strong dir="auto">{postedBy.displayName}</strong>
        <span className="muted">
          {timeAgo(postedAt)}
          {editedAt !== undefined && ` · ${text("comment.edited")}`}
        </span>
        {permissions.reply && <ReactMenu place={place} comment={comment} reply={reply} />}
        {(permissions.edit || permissions.delete) && (
          <MenuTrigger>
            <Button className="plain square small" aria-label={text("comment.menu", { name: postedBy.displayName })}>
              <Icon name="more" />
            </Button>
            <Popover className="popover" placement="bottom end">
              <Menu className="menu" aria-label={text("comment.menu", { name: postedBy.displayName })}>
                {permissions.edit && (
                  <MenuItem className="menu-item" onAction={() => edit.mutate()}>
                    {text("comment.edit")}
                  </MenuItem>
                )}
                {permissions.delete && (
                  <MenuItem className="menu-item danger" onAction={() => setDeleting(true)}>
                    {text("comment.delete")}
                  </MenuItem>
                )}
              </Menu>
            </Popover>
          </MenuTrigger>
        )}
      </div>
      {markdown !== undefined ? (
        <CommentForm
          draftKey={`edit ${entry.id}`}
          organization={organization}
          label={text("comment.edit")}
          action={text("action.save")}
          initial={markdown}
          hasFocus
          onSend={(next) => updateComment(place, comment, reply, { body: { markdown: next } })}
          onCancel={() => setMarkdown(undefined)}
        />
      ) : (
        <div className="entry-body">
          {"document" in body && <PageContent place={place} document={body.document as Document} />}
        </div>
      )}
      <Reactions place={place} comment={comment} entry={entry} reply={reply} />
      <Window title={text("comment.delete")} isOpen={isDeleting} onClose={() => setDeleting(false)}>
        <p>{text(isReply ? "comment.deleteReply" : "comment.deleteText")}</p>
        <FormProblem failure={remove.error} />
        <div className="buttons end">
          <Button className="control" onPress={() => setDeleting(false)}>
            {text("action.cancel")}
          </Button>
          <Button className="control danger" isDisabled={remove.isPending} onPress={() => remove.mutate()}>
            {text("comment.delete")}
          </Button>
        </div>
      </Window>
    </div>
  )
}

interface ReactionsProps extends ReactMenuProps {
  readonly entry: Comment | CommentReply
}

const Reactions = ({ place, comment, reply, entry }: ReactionsProps) => {
  const { data: me } = useQuery(queries.me())
  const canReact = entry.permissions.reply
  const react = useMutation({
    mutationFn: ({ emoji, isAdded }: { readonly emoji: string; readonly isAdded: boolean }) =>
      updateComment(place, comment, reply, isAdded ? { addedReactions: [emoji] } : { removedReactions: [emoji] }),
    onError: notifyProblem
  })
  if (entry.reactions.length === 0) return null
  return (
    <div className="reactions">
      {entry.reactions.map(({ count, emoji, users }) => (
        <ToggleButton
          key={emoji}
          className="reaction"
          aria-label={text("comment.reaction", {
            emoji,
            count,
            names: users.map(({ user }) => user.displayName).join(", ")
          })}
          isSelected={users.some(({ user }) => user.id === me?.id)}
          isDisabled={!canReact || react.isPending}
          onChange={(isAdded) => react.mutate({ emoji, isAdded })}
        >
          <span aria-hidden="true">{emoji}</span> {count}
        </ToggleButton>
      ))}
    </div>
  )
}

interface ReactMenuProps {
  readonly place: ContentPlace
  readonly comment: string
  readonly reply: string | undefined
}

const ReactMenu = ({ place, comment, reply }: ReactMenuProps) => {
  const add = useMutation({
    mutationFn: (emoji: string) => updateComment(place, comment, reply, { addedReactions: [emoji] }),
    onError: notifyProblem
  })
  return (
    <MenuTrigger>
      <Button className="plain square small" aria-label={text("comment.react")}>
        <Icon name="smile" />
      </Button>
      <Popover className="popover reaction-choice" placement="bottom end">
        <Menu className="menu" aria-label={text("comment.react")} onAction={(emoji) => add.mutate(String(emoji))}>
          {reactions.map((emoji) => (
            <MenuItem key={emoji} id={emoji} className="menu-item" textValue={emoji}>
              {emoji}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
