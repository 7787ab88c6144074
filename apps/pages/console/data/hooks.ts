import { useCallback, useEffect, useRef, useState } from "preact/hooks"
import { isJudged, PayportError } from "../../../../adapters/http/client/PayportError.ts"
import { wordsOf } from "./api.ts"

/** A response that is requested when a view is shown. */
export interface Asked<A> {
  readonly value: A | undefined
  readonly error: string | undefined
  readonly isLoading: boolean
  /** Repeats the request, and shows the previous response meanwhile. */
  readonly again: () => void
}

/** Sends a request when the view is shown and when `about` changes; late responses are dropped. */
export const useAsked = <A>(ask: () => Promise<A>, about: string): Asked<A> => {
  const [state, setState] = useState<{ about: string; value?: A; error?: string }>({ about })
  const [round, setRound] = useState(0)
  const asking = useRef(ask)
  asking.current = ask
  useEffect(() => {
    let isCurrent = true
    asking.current().then(
      (value) => isCurrent && setState({ about, value }),
      (error: unknown) =>
        isCurrent && setState((was) => ({ ...was, about, error: wordsOf(error) })),
    )
    return () => {
      isCurrent = false
    }
  }, [about, round])
  const isOther = state.about !== about
  const [value, error] = isOther ? [undefined, undefined] : [state.value, state.error]
  const again = useCallback(() => setRound((n) => n + 1), [])
  return { value, error, isLoading: value === undefined && error === undefined, again }
}

/** A page of a list. */
export interface PageOf<Row> {
  readonly data: ReadonlyArray<Row>
  readonly has_more: boolean
}

/** The query of a list's next page. */
export interface NextPage {
  readonly limit: number
  readonly starting_after?: string
}

/** The rows of a list so far. */
export interface Listed<Row> {
  readonly rows: ReadonlyArray<Row>
  readonly hasMore: boolean
  readonly isLoading: boolean
  readonly error: string | undefined
  /** Requests the next page, unless a request is running. */
  readonly more: () => void
  readonly again: () => void
}

interface Loaded<Row> {
  readonly rows: ReadonlyArray<Row>
  readonly hasMore: boolean
  readonly error: string | undefined
}

const NOTHING = { rows: [], hasMore: true, error: undefined }

/** Reads a list page by page, after the last row's id. It starts again when `about` changes. */
export const useListed = <Row extends { readonly id: string }>(
  ask: (page: NextPage) => Promise<PageOf<Row>>,
  about: string,
): Listed<Row> => {
  const [loaded, setLoaded] = useState<Loaded<Row>>(NOTHING)
  const [isLoading, setLoading] = useState(true)
  const [round, setRound] = useState(0)
  const current = useRef({ ask, turn: 0, isAsking: false, rows: loaded.rows })
  current.current.ask = ask
  current.current.rows = loaded.rows

  const load = useCallback((after: string | undefined) => {
    const state = current.current
    const turn = state.turn
    state.isAsking = true
    setLoading(true)
    const end = (change: (was: Loaded<Row>) => Loaded<Row>) => {
      if (state.turn !== turn) return
      state.isAsking = false
      setLoading(false)
      setLoaded(change)
    }
    state.ask({ limit: 100, ...(after !== undefined && { starting_after: after }) }).then(
      ({ data, has_more }) =>
        end((was) => ({
          rows: after === undefined ? data : [...was.rows, ...data],
          hasMore: has_more,
          error: undefined,
        })),
      (error: unknown) => end((was) => ({ ...was, error: wordsOf(error) })),
    )
  }, [])

  useEffect(() => {
    current.current.turn++
    setLoaded(NOTHING)
    load(undefined)
  }, [about, round, load])

  const more = useCallback(() => {
    const { isAsking, rows } = current.current
    if (!isAsking) load(rows.at(-1)?.id)
  }, [load])
  const again = useCallback(() => setRound((n) => n + 1), [])
  return { ...loaded, isLoading, more, again }
}

/** An action of the reader: whether it is running, and its error. */
export const useAct = (): {
  readonly isActing: boolean
  readonly refusal: string | undefined
  readonly act: (doing: () => Promise<unknown>) => Promise<boolean>
} => {
  const [isActing, setActing] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const act = async (doing: () => Promise<unknown>): Promise<boolean> => {
    setActing(true)
    setRefusal(undefined)
    try {
      await doing()
      return true
    } catch (error) {
      setRefusal(wordsOf(error))
      return false
    } finally {
      setActing(false)
    }
  }
  return { isActing, refusal, act }
}

/** The options of a request that is sent at most once. */
export interface Keyed {
  readonly idempotencyKey: string
}

/** Sends a request for a body, under a key. */
type Send = <A>(body: unknown, request: (options: Keyed) => Promise<A>) => Promise<A>

/**
 * Returns a function that sends requests: the same body gets the same key until its outcome is
 * known. Another body is another request, and gets another key. Refusals are kept under their key,
 * so after one the next try gets another key: otherwise nothing that a person corrects would be
 * looked at.
 */
export const useKeys = (): Send => {
  const last = useRef({ text: "", key: "" })
  return useCallback<Send>(async (body, request) => {
    const text = JSON.stringify(body)
    if (last.current.text !== text) last.current = { text, key: crypto.randomUUID() }
    try {
      return await request({ idempotencyKey: last.current.key })
    } catch (error) {
      if (error instanceof PayportError && isJudged(error)) last.current = { text: "", key: "" }
      throw error
    }
  }, [])
}
