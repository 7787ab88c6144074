/** A button that repeats the request. */
export const Refresh = ({ again }: { readonly again: () => void }) => (
  <button type="button" class="act" onClick={again}>
    Refresh
  </button>
)

interface StatesProps<S extends string> {
  readonly states: ReadonlyArray<S>
  readonly status: S | undefined
  readonly onStatus: (status: S | undefined) => void
  readonly show?: (status: S) => string
}

/** A filter of a list by state. */
export const States = <S extends string>({
  onStatus,
  show = (status) => status.replaceAll("_", " "),
  states,
  status,
}: StatesProps<S>) => (
  <select
    aria-label="State"
    value={status ?? ""}
    onChange={({ currentTarget: { value } }) => onStatus(states.find((known) => known === value))}
  >
    <option value="">Every state</option>
    {states.map((known) => (
      <option key={known} value={known}>
        {show(known)}
      </option>
    ))}
  </select>
)
