import type { ComponentChildren, JSX } from "preact"
import { useId } from "preact/hooks"
import { type Draft, rowsOf, withoutRow, withRow, YES } from "./Draft.ts"
import { useField, useForm } from "./Form.tsx"

interface FieldProps {
  readonly name: string
  readonly label: string
  readonly hint?: ComponentChildren
  readonly isRequired?: boolean
}

interface Wiring {
  readonly id: string
  readonly name: string
  readonly value: string
  readonly "aria-invalid": boolean
  readonly "aria-required": boolean
  readonly "aria-describedby": string | undefined
  readonly onInput: (event: { readonly currentTarget: { readonly value: string } }) => void
}

/** A label, a control, and below it the mistake or a hint. */
const Labelled = (
  props: FieldProps & {
    readonly look?: "amount" | "area" | "currency"
    readonly control: (wiring: Wiring) => JSX.Element
  },
) => {
  const { control, hint, isRequired = false, label, look, name } = props
  const id = useId()
  const { problem, set, value } = useField(name)
  const note = problem ?? hint
  return (
    <div class={`field ${look ?? ""}`}>
      <p class="field-head">
        <label for={id}>{label}</label>
        {!isRequired && <span class="soft small">optional</span>}
      </p>
      {control({
        id,
        name,
        value,
        "aria-invalid": problem !== undefined,
        "aria-required": isRequired,
        "aria-describedby": note === undefined ? undefined : `${id}-note`,
        onInput: ({ currentTarget }) => set(currentTarget.value),
      })}
      {note !== undefined && (
        <p id={`${id}-note`} class={`small ${problem === undefined ? "soft" : "flaw"}`}>
          {note}
        </p>
      )}
    </div>
  )
}

interface TextProps extends FieldProps {
  readonly placeholder?: string
  readonly isDate?: boolean
  /** The keyboard of a phone. */
  readonly inputMode?: "email" | "tel" | "url"
  readonly autocomplete?: string
  /** The width and alignment: a currency is short, an amount is on the right. */
  readonly look?: "amount" | "currency"
  readonly isFixed?: boolean
}

/** One line of text. */
export const Text = (props: TextProps) => {
  const { autocomplete = "off", inputMode, isDate, isFixed, look, placeholder } = props
  return (
    <Labelled
      {...props}
      control={(wiring) => {
        const common = { ...wiring, autocomplete, placeholder, readOnly: isFixed }
        return isDate === true ? (
          <input {...common} type="date" />
        ) : (
          <input
            {...common}
            type="text"
            inputMode={look === "amount" ? "decimal" : inputMode}
            spellcheck={inputMode === undefined && look === undefined}
          />
        )
      }}
    />
  )
}

/** Several lines of text. */
export const Area = (props: FieldProps & { readonly rows?: number }) => (
  <Labelled
    {...props}
    look="area"
    control={(wiring) => <textarea {...wiring} rows={props.rows ?? 3} />}
  />
)

interface ChoiceProps extends FieldProps {
  readonly of: Readonly<Record<string, string>>
}

/** A choice of one value, by name. */
export const Choice = (props: ChoiceProps) => (
  <Labelled
    {...props}
    control={({ onInput, ...wiring }) => (
      <select {...wiring} onChange={onInput}>
        {Object.entries(props.of).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    )}
  />
)

/** A checkbox. */
export const Tick = ({ hint, label, name }: FieldProps) => {
  const id = useId()
  const { problem, set, value } = useField(name)
  const note = problem ?? hint
  return (
    <div class="tick">
      <label class="check">
        <input
          type="checkbox"
          name={name}
          checked={value === YES}
          aria-invalid={problem !== undefined}
          aria-describedby={note === undefined ? undefined : id}
          onChange={({ currentTarget: { checked } }) => set(checked ? YES : "")}
        />
        <span>{label}</span>
      </label>
      {note !== undefined && (
        <p id={id} class={`small ${problem === undefined ? "soft" : "flaw"}`}>
          {note}
        </p>
      )}
    </div>
  )
}

interface GroupProps {
  readonly name: string
  readonly label: string
  readonly hint?: ComponentChildren
  readonly children: ComponentChildren
}

/** Fields that belong together, and the mistake of the group. */
export const Group = ({ children, hint, label, name }: GroupProps) => {
  const id = useId()
  const { problem } = useField(name)
  const note = problem ?? hint
  return (
    <fieldset
      class="group"
      data-invalid={problem !== undefined}
      aria-describedby={note === undefined ? undefined : id}
    >
      <legend class="field-name">{label}</legend>
      {note !== undefined && (
        <p id={id} class={`small ${problem === undefined ? "soft" : "flaw"}`}>
          {note}
        </p>
      )}
      {children}
    </fieldset>
  )
}

/** An amount and its currency. */
export const Amount = ({ hint, label, name }: FieldProps) => (
  <div class="tick">
    <div class="pair">
      <Text name={`${name}.value`} label={label} look="amount" placeholder="0.00" />
      <Text name={`${name}.currency`} label="Currency" look="currency" isRequired />
    </div>
    <p class="soft small">{hint}</p>
  </div>
)

interface RowsProps {
  readonly name: string
  /** Labels of the list and of one row. */
  readonly label: string
  readonly one: string
  readonly hint?: string
  /** The initial values of a new row. */
  readonly empty: Draft
  readonly children: (row: string) => ComponentChildren
}

/** A list of rows that can be removed. */
export const Rows = ({ children, empty, hint, label, name, one }: RowsProps) => {
  const { change, draft } = useForm()
  return (
    <Group name={name} label={label} {...(hint !== undefined && { hint })}>
      {rowsOf(draft, name).map((row, at) => (
        <div key={row} class="entry">
          <div class="entry-fields">{children(row)}</div>
          <button
            type="button"
            class="cross"
            aria-label={`Remove ${one} ${at + 1}`}
            onClick={({ currentTarget }) => {
              currentTarget
                .closest("fieldset")
                ?.querySelector<HTMLElement>(":scope > .act")
                ?.focus()
              change(withoutRow(draft, name, at))
            }}
          >
            ×
          </button>
        </div>
      ))}
      <button type="button" class="act" onClick={() => change(withRow(draft, name, empty))}>
        Add {one}
      </button>
    </Group>
  )
}

interface SetProps {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly of: Readonly<Record<string, string>>
}

/** A choice of any values, each with a checkbox. */
export const AnyOf = ({ hint, label, name, of }: SetProps) => (
  <Group name={name} label={label} {...(hint !== undefined && { hint })}>
    <div class="ticks">
      {Object.entries(of).map(([value, text]) => (
        <Tick key={value} name={`${name}.${value}`} label={text} />
      ))}
    </div>
  </Group>
)
