import { Result } from "effect"
import { type ComponentChildren, createContext } from "preact"
import { useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks"
import { wordsOf } from "../data/api.ts"
import { useDraft } from "../data/drafts.ts"
import { type Keyed, useKeys } from "../data/hooks.ts"
import { say } from "../data/said.ts"
import { count } from "../show/words.ts"
import type { Draft, Read } from "./Draft.ts"
import { isOpen, issuesOf, type Issues, type Placed, placed } from "./issues.ts"

/** The context that a form shares with its fields. */
interface Shared {
  readonly draft: Draft
  readonly change: (changed: Draft) => void
  readonly problems: Placed["beside"]
  readonly names: Set<string>
}

const Context = createContext<Shared>({
  draft: {},
  change: () => {},
  problems: new Map(),
  names: new Set(),
})

/** Returns the values of the surrounding form. */
export const useForm = (): Pick<Shared, "change" | "draft"> => useContext(Context)

/** Returns a field of the surrounding form: its value, and its mistake. */
export const useField = (name: string) => {
  const { change, draft, names, problems } = useContext(Context)
  useLayoutEffect(() => {
    names.add(name)
    return () => void names.delete(name)
  }, [names, name])
  const set = (value: string) => change({ ...draft, [name]: value })
  return { value: draft[name] ?? "", set, problem: problems.get(name) }
}

const NO_VALUES: Draft = {}

export interface FormProps<Input> {
  readonly initial: Draft
  /** Values that no field shows: what is typed about one subject does not come to another. */
  readonly fixed?: Draft
  /** Reads a body from the typed values. */
  readonly read: (draft: Draft) => Read<unknown>
  /** Decodes a body by its route's Schema. */
  readonly decode: (body: unknown) => Result.Result<Input, Issues>
  /**
   * Sends the decoded body, with the same key for each try of it without an answer. A changed body
   * is another request, with a key of its own.
   */
  readonly send: (input: Input, options: Keyed) => Promise<unknown>
  readonly label: string
  readonly onDone: () => void
  readonly onClose: () => void
  /** Called when a request is lost, so that nobody knows what it did. */
  readonly onUnknown?: () => void
  readonly children: ComponentChildren
}

interface Refused {
  readonly issues: Issues
  readonly text: string | undefined
}

const NOTHING: Refused = { issues: [], text: undefined }

const Summary = ({ above, beside }: Placed) => {
  const lines = [
    ...(beside.size === 0 ? [] : [`${count(beside.size, "field")} to look at again.`]),
    ...above,
  ]
  return lines.length === 0 ? null : (
    <div class="problem" role="alert">
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  )
}

interface EndsProps {
  readonly label: string
  readonly isSending: boolean
  readonly onClose: () => void
}

const Ends = ({ isSending, label, onClose }: EndsProps) => (
  <div class="acts end">
    <button type="button" class="act" onClick={onClose}>
      Not now
    </button>
    <button type="submit" class="act primary" disabled={isSending}>
      {isSending ? "Working…" : label}
    </button>
  </div>
)

/**
 * A form that shows mistakes next to its fields: by the route's Schema before anything is sent, and
 * by the service's response afterwards.
 */
export const Form = <Input,>(props: FormProps<Input>) => {
  const { children, decode, fixed = NO_VALUES, initial, label, onClose, onDone } = props
  const { onUnknown, read, send } = props
  const [draft, setDraft] = useDraft({ label, initial, fixed })
  const [refused, setRefused] = useState(NOTHING)
  const [tries, setTries] = useState(0)
  const [isSending, setSending] = useState(false)
  const names = useMemo(() => new Set<string>(), [])
  const element = useRef<HTMLFormElement>(null)
  const sendOnce = useKeys()
  const { body, issues } = read(draft)
  const decoded = decode(body)
  const found = [...issues, ...(Result.isFailure(decoded) ? decoded.failure : [])]
  const shown: Placed =
    tries === 0
      ? { beside: new Map(), above: [] }
      : placed(found.length > 0 ? found : refused.issues, names)
  useEffect(() => {
    element.current
      ?.querySelector<HTMLElement>(
        '[aria-invalid="true"], [data-invalid="true"] :is(input, select)',
      )
      ?.focus()
  }, [tries])
  const change = (changed: Draft) => {
    setDraft(changed)
    setRefused(NOTHING)
  }
  const submit = async () => {
    setRefused(NOTHING)
    if (issues.length === 0 && Result.isSuccess(decoded)) {
      setSending(true)
      try {
        await sendOnce(body, (options) => send(decoded.success, options))
        say(`${label}: done.`)
        return onDone()
      } catch (error) {
        if (isOpen(error)) onUnknown?.()
        const said = issuesOf(error)
        setRefused({ issues: said, text: said.length === 0 ? wordsOf(error) : undefined })
      } finally {
        setSending(false)
      }
    }
    setTries((n) => n + 1)
  }
  const above = refused.text === undefined ? shown.above : [refused.text, ...shown.above]
  return (
    <Context.Provider value={{ draft, change, problems: shown.beside, names }}>
      <form
        class="form"
        ref={element}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!isSending) void submit()
        }}
      >
        {children}
        <Summary beside={shown.beside} above={above} />
        <Ends label={label} isSending={isSending} onClose={onClose} />
      </form>
    </Context.Provider>
  )
}
