/**
 * Dialog with the settings of a page: its head, its cover, the parts that a site shows, who sees it, tags and variables.
 * A picture next to the form shows the page with the current values. "Save" writes the changed fields to the change
 * request in one change. A refusal is shown at the field that it concerns.
 */
import type { ContentRef } from "@lectern/document/Document"
import { useMutation, useQuery } from "@tanstack/react-query"
import { type ReactNode, useId, useState } from "react"
import {
  Button,
  FieldError,
  FileTrigger,
  Form,
  Input,
  Label,
  Radio,
  RadioGroup,
  Switch,
  Text,
  TextArea,
  TextField,
  ToggleButton,
  ToggleButtonGroup
} from "react-aria-components"
import { ApiProblem } from "../../api/Api.ts"
import { client, contentKey, queries } from "../../api/Queries.ts"
import type { DocumentPage } from "../../api/Resources.ts"
import { writeContent } from "../../api/Writes.ts"
import { Icon } from "../../frame/Icon.tsx"
import { Window } from "../../frame/Window.tsx"
import { text } from "../../language/Language.ts"
import { writingText } from "../../language/WritingTexts.ts"
import { storeFile } from "../Pictures.ts"
import { EmojiField } from "./EmojiField.tsx"
import {
  changedFields,
  type Cover,
  flagFields,
  type FormVariable,
  formOf,
  type PageForm,
  problemsOf
} from "./PageForm.ts"
import { PagePicture } from "./PagePicture.tsx"

const maxLengths = { title: 256, description: 2000, slug: 100, linkTitle: 256, icon: 50, condition: 1024 } as const

const layoutParts = [
  "title",
  "description",
  "tags",
  "tableOfContents",
  "outline",
  "pagination",
  "metadata",
  "actions"
] as const

const coverSizes = ["hero", "full"] as const

interface PageSettingsProps {
  readonly space: string
  readonly changeRequest: number
  readonly page: DocumentPage
  readonly onClose: () => void
}

export const PageSettings = ({ space, changeRequest, page, onClose }: PageSettingsProps) => {
  const place = { space, changeRequest }
  const [form, setForm] = useState(() => formOf(page))
  const set = (change: Partial<PageForm>) => setForm((before) => ({ ...before, ...change }))
  const { data: tags = [] } = useQuery(queries.tags(place))
  const { data: files = [] } = useQuery(queries.files(place))

  const save = useMutation({
    mutationFn: async () => {
      const fields = changedFields(page, form)
      if (fields !== undefined)
        await writeContent(space, changeRequest, [{ operation: "update_page", page: page.id, ...fields }])
    },
    onSuccess: onClose
  })
  const problems = save.error instanceof ApiProblem ? problemsOf(save.error.issues) : {}
  // A refusal without a field that this form has is shown at the buttons.
  const isElsewhere = save.error !== null && !Object.keys(problems).some((name) => name in form)

  const urlOf = (ref: ContentRef): string | undefined =>
    ref.kind === "file"
      ? files.find(({ id }) => id === ref.file)?.downloadURL
      : ref.kind === "url" && /^https?:\/\//i.test(ref.url)
        ? ref.url
        : undefined

  const field = (
    name: keyof typeof maxLengths,
    more: { readonly isRequired?: boolean; readonly hint?: string } = {}
  ) => (
    <TextField
      key={name}
      value={form[name]}
      onChange={(value) => set({ [name]: value })}
      maxLength={maxLengths[name]}
      isInvalid={problems[name] !== undefined}
      isRequired={more.isRequired ?? false}
    >
      <Label>{writingText(`settings.${name}`)}</Label>
      {name === "description" ? <TextArea dir="auto" rows={2} /> : <Input dir={name === "slug" ? "ltr" : "auto"} />}
      {more.hint !== undefined && (
        <Text slot="description" className="muted">
          {more.hint}
        </Text>
      )}
      <FieldError className="field-problem">{problems[name]}</FieldError>
    </TextField>
  )

  return (
    <Window title={writingText("settings.pageSettings")} isOpen isWide onClose={onClose}>
      <div className="page-settings">
        <PagePicture
          form={form}
          tags={tags}
          urlOf={urlOf}
          parentPath={page.path.includes("/") ? `/${page.path.slice(0, page.path.lastIndexOf("/"))}` : ""}
        />
        <Form
          validationBehavior="aria"
          onSubmit={(event) => {
            event.preventDefault()
            save.mutate()
          }}
        >
          <Section title={writingText("settings.head")}>
            {field("title", { isRequired: true })}
            {field("description")}
            <div className="field-row">
              <EmojiField value={form.emoji} onChange={(emoji) => set({ emoji })} />
              {field("icon", { hint: writingText("settings.iconHint") })}
            </div>
            <div className="field-row">
              {field("slug", { hint: writingText("settings.slugHint") })}
              {field("linkTitle", { hint: writingText("settings.linkTitleHint") })}
            </div>
          </Section>

          <Section title={writingText("settings.cover")}>
            <CoverField
              place={place}
              cover={form.cover}
              problem={problems["cover"]}
              onChange={(cover) => set({ cover, ...(cover && { layout: { ...form.layout, cover: true } }) })}
            />
            {form.cover !== undefined && (
              <Choice
                label={writingText("settings.coverSize")}
                value={form.layout.coverSize === "full" ? "full" : "hero"}
                options={coverSizes.map((value) => [value, writingText(`settings.cover.${value}`)])}
                onChange={(coverSize) => set({ layout: { ...form.layout, coverSize } })}
              />
            )}
          </Section>

          <Section title={writingText("settings.layout")}>
            <Choice
              label={writingText("settings.width")}
              value={form.layout.width}
              options={(["default", "wide"] as const).map((value) => [value, writingText(`settings.width.${value}`)])}
              onChange={(width) => set({ layout: { ...form.layout, width } })}
            />
            <div className="switches">
              {layoutParts.map((name) => (
                <Toggle
                  key={name}
                  label={writingText(`settings.layout.${name}`)}
                  isSelected={form.layout[name]}
                  onChange={(value) => set({ layout: { ...form.layout, [name]: value } })}
                />
              ))}
            </div>
          </Section>

          <Section title={writingText("settings.readers")}>
            <div className="switches">
              {flagFields.map((name) => (
                <Toggle
                  key={name}
                  label={writingText(`settings.${name}`)}
                  isSelected={form[name]}
                  onChange={(value) => set({ [name]: value })}
                />
              ))}
            </div>
            {field("condition", { hint: writingText("settings.conditionHint") })}
          </Section>

          <Section title={writingText("settings.tags")}>
            {tags.length === 0 ? (
              <p className="muted">{writingText("settings.noTags")}</p>
            ) : (
              <ToggleButtonGroup
                className="tag-choice"
                aria-label={writingText("settings.tags")}
                selectionMode="multiple"
                selectedKeys={form.tags}
                onSelectionChange={(keys) => {
                  const chosen = new Set(Array.from(keys, String))
                  // Tags that a page has keep their order.
                  set({
                    tags: [
                      ...form.tags.filter((tag) => chosen.has(tag)),
                      ...Array.from(chosen).filter((tag) => !form.tags.includes(tag))
                    ]
                  })
                }}
              >
                {tags.map(({ emoji, label, slug }) => (
                  <ToggleButton key={slug} id={slug}>
                    {emoji} <bdi>{label}</bdi>
                  </ToggleButton>
                ))}
              </ToggleButtonGroup>
            )}
            <FieldProblem message={problems["tags"]} />
          </Section>

          <Section title={writingText("settings.variables")}>
            <VariablesField variables={form.variables} onChange={(variables) => set({ variables })} />
            <FieldProblem message={problems["variables"]} />
          </Section>

          {isElsewhere && <FieldProblem message={save.error?.message} />}
          <div className="buttons end settings-end">
            <Button className="control" onPress={onClose}>
              {text("action.cancel")}
            </Button>
            <Button
              className="control primary"
              type="submit"
              isDisabled={save.isPending || form.title.trim() === "" || form.slug.trim() === ""}
            >
              {text("action.save")}
            </Button>
          </div>
        </Form>
      </div>
    </Window>
  )
}

const Section = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => {
  const id = useId()
  return (
    <section className="settings-section" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
    </section>
  )
}

const FieldProblem = ({ message }: { readonly message: string | undefined }) =>
  message === undefined ? null : (
    <p className="field-problem" role="alert">
      {message}
    </p>
  )

interface ToggleProps {
  readonly label: string
  readonly isSelected: boolean
  readonly onChange: (isSelected: boolean) => void
}

const Toggle = ({ label, isSelected, onChange }: ToggleProps) => (
  <Switch className="switch" isSelected={isSelected} onChange={onChange}>
    <i className="switch-track" aria-hidden="true" />
    {label}
  </Switch>
)

interface ChoiceProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly options: ReadonlyArray<readonly [value: Value, label: string]>
  readonly onChange: (value: Value) => void
}

const Choice = <Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) => (
  <RadioGroup className="choice" value={value} onChange={(next) => onChange(next as Value)} orientation="horizontal">
    <Label className="field-label">{label}</Label>
    {options.map(([option, name]) => (
      <Radio key={option} value={option}>
        {name}
      </Radio>
    ))}
  </RadioGroup>
)

interface CoverFieldProps {
  readonly place: { readonly space: string; readonly changeRequest: number }
  readonly cover: Cover | undefined
  readonly problem: string | undefined
  readonly onChange: (cover: Cover | undefined) => void
}

/** A picture that is added to the files of the space. */
const CoverField = ({ place, cover, problem, onChange }: CoverFieldProps) => {
  const add = useMutation({
    mutationFn: async (file: File) => {
      const { id } = await storeFile(place, file)
      await client.invalidateQueries({ queryKey: [...contentKey(place), "files"] })
      return id
    },
    onSuccess: (file) => onChange({ ...(cover ?? { yPos: 0 }), ref: { kind: "file", file } })
  })
  return (
    <div className="field">
      <div className="buttons">
        <FileTrigger
          acceptedFileTypes={["image/*"]}
          onSelect={(files) => {
            const file = files?.[0]
            if (file !== undefined) add.mutate(file)
          }}
        >
          <Button className="control" isDisabled={add.isPending}>
            {writingText(cover === undefined ? "settings.addCover" : "settings.changeCover")}
          </Button>
        </FileTrigger>
        {cover !== undefined && (
          <Button className="control" onPress={() => onChange(undefined)}>
            {writingText("settings.remove")}
          </Button>
        )}
      </div>
      <FieldProblem message={add.error?.message ?? problem} />
    </div>
  )
}

interface VariablesFieldProps {
  readonly variables: ReadonlyArray<FormVariable>
  readonly onChange: (variables: ReadonlyArray<FormVariable>) => void
}

const VariablesField = ({ variables, onChange }: VariablesFieldProps) => {
  const change = (index: number, next: Partial<FormVariable>) =>
    onChange(variables.map((variable, i) => (i === index ? { ...variable, ...next } : variable)))
  return (
    <div className="variables">
      {variables.map(({ name, value }, i) => (
        <div key={i} className="variable">
          <TextField
            value={name}
            onChange={(next) => change(i, { name: next })}
            aria-label={writingText("settings.variableName")}
          >
            <Input dir="ltr" placeholder={writingText("settings.variableName")} />
          </TextField>
          <TextField
            value={value}
            onChange={(next) => change(i, { value: next })}
            maxLength={10_000}
            aria-label={writingText("settings.variableValue")}
          >
            <Input dir="auto" placeholder={writingText("settings.variableValue")} />
          </TextField>
          <Button
            className="plain square"
            aria-label={`${writingText("settings.remove")}: ${name}`}
            onPress={() => onChange(variables.filter((_, j) => j !== i))}
          >
            <Icon name="close" />
          </Button>
        </div>
      ))}
      <div>
        <Button className="control small" onPress={() => onChange([...variables, { name: "", value: "" }])}>
          <Icon name="add" />
          {writingText("settings.addVariable")}
        </Button>
      </div>
    </div>
  )
}
