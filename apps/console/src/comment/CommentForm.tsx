/**
 * Field for a comment in Markdown. What was not sent stays in this tab, also after a reload. Ctrl+Enter or ⌘Enter sends
 * it. Limit: 20,000 characters.
 */
import { useMutation, useQuery } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { Button, Form, Menu, MenuItem, MenuTrigger, Popover, TextArea, TextField } from "react-aria-components"
import { queries } from "../api/Queries.ts"
import { FormProblem } from "../frame/Problem.tsx"
import { text } from "../language/Language.ts"

const maxLength = 20_000

interface CommentFormProps {
  /** Key under which the text stays in this tab. */
  readonly draftKey: string
  readonly organization: string
  readonly label: string
  readonly action: string
  /** Text to change. Default: empty. */
  readonly initial?: string
  readonly hasFocus?: boolean
  readonly onSend: (markdown: string) => Promise<void>
  readonly onCancel?: () => void
}

export const CommentForm = ({
  draftKey,
  organization,
  label,
  action,
  initial = "",
  hasFocus = false,
  onSend,
  onCancel
}: CommentFormProps) => {
  const storageKey = `lectern-comment ${draftKey}`
  const [markdown, setMarkdown] = useState(() => sessionStorage.getItem(storageKey) ?? initial)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (markdown === initial) sessionStorage.removeItem(storageKey)
    else sessionStorage.setItem(storageKey, markdown)
  }, [initial, markdown, storageKey])
  const send = useMutation({
    mutationFn: () => onSend(markdown.trim()),
    onSuccess: () => {
      sessionStorage.removeItem(storageKey)
      setMarkdown(initial)
      onCancel?.()
    }
  })
  const isEmpty = markdown.trim() === ""
  const insert = (mention: string) => {
    const { selectionEnd = markdown.length, selectionStart = markdown.length } = field.current ?? {}
    setMarkdown(`${markdown.slice(0, selectionStart)}${mention} ${markdown.slice(selectionEnd)}`)
    field.current?.focus()
  }
  return (
    <Form
      className="comment-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isEmpty) send.mutate()
      }}
    >
      <TextField value={markdown} onChange={setMarkdown} maxLength={maxLength} autoFocus={hasFocus} aria-label={label}>
        <TextArea
          ref={field}
          rows={2}
          // A field without text has the direction of its placeholder.
          dir={markdown === "" ? undefined : "auto"}
          placeholder={label}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !isEmpty && !send.isPending) send.mutate()
            if (event.key === "Escape") onCancel?.()
          }}
        />
      </TextField>
      <FormProblem failure={send.error} />
      <div className="buttons">
        <Button className="control primary small" type="submit" isDisabled={isEmpty || send.isPending}>
          {action}
        </Button>
        {onCancel && (
          <Button className="control small" onPress={onCancel}>
            {text("action.cancel")}
          </Button>
        )}
        <MentionMenu organization={organization} onChoose={insert} />
        <span className="muted comment-hint">{text("comment.hint")}</span>
      </div>
    </Form>
  )
}

interface MentionMenuProps {
  readonly organization: string
  readonly onChoose: (markdown: string) => void
}

/** Menu of the members, to mention one of them. */
const MentionMenu = ({ organization, onChoose }: MentionMenuProps) => {
  const [isOpen, setOpen] = useState(false)
  const { data: members = [] } = useQuery({ ...queries.members(organization), enabled: isOpen })
  return (
    <MenuTrigger isOpen={isOpen} onOpenChange={setOpen}>
      <Button className="plain small" aria-label={text("comment.mention")}>
        @
      </Button>
      <Popover className="popover" placement="bottom start">
        <Menu
          className="menu"
          aria-label={text("comment.mention")}
          onAction={(id) => {
            const member = members.find((one) => one.id === id)
            // Brackets would end the text of the link.
            if (member) onChoose(`[${member.user.displayName.replace(/[[\]\\]/g, "")}](/users/${member.id} "mention")`)
          }}
          renderEmptyState={() => <p className="palette-empty muted">{text("frame.loading")}</p>}
        >
          {members
            .filter(({ disabled }) => !disabled)
            .map(({ id, user: { displayName } }) => (
              <MenuItem key={id} id={id} className="menu-item" textValue={displayName}>
                <span dir="auto">{displayName}</span>
              </MenuItem>
            ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
