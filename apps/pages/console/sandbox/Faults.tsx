import { useState } from "preact/hooks"
import type { SandboxChannel } from "../../../../adapters/http/client/Resources.ts"
import { api } from "../data/api.ts"
import { useAct, useAsked } from "../data/hooks.ts"
import { Badge, Head, Id, Loading, Part, Problem } from "../parts/basics.tsx"
import { count, sentence } from "../show/words.ts"

type ChangedFaults = Partial<SandboxChannel["faults"]>
type Switch = Exclude<keyof SandboxChannel["faults"], "settle" | "mandates">

const SWITCHES: ReadonlyArray<readonly [fault: Switch, about: string]> = [
  ["down", "refuses every call"],
  ["timeout", "answers no call"],
  ["rate_limited", "refuses for now"],
  ["credentials_invalid", "does not know the service"],
  ["qr_fails", "makes no QR code"],
  ["deeplink_fails", "makes no link"],
  ["auto_pay_declines", "declines debits"],
  ["refund_rejects", "refuses refunds"],
  ["refund_rejects_late", "takes refunds and fails them"],
  ["duplicate_callbacks", "says everything twice"],
  ["statement_drops", "leaves lines out of statements"],
  ["statement_changes", "changes amounts in statements"],
]

const MANUAL = [
  ["settle", "settles only when it is told to"],
  ["mandates", "waits for a person to approve each mandate"],
] as const

interface ChannelProps {
  readonly channel: SandboxChannel
  readonly set: (channel: string, faults: ChangedFaults) => void
}

const onOf = ({ faults }: SandboxChannel): number =>
  SWITCHES.filter(([fault]) => faults[fault]).length +
  MANUAL.filter(([fault]) => faults[fault] === "manual").length

const Channel = ({ channel, set }: ChannelProps) => {
  const { channel: name, faults, secret } = channel
  const on = onOf(channel)
  return (
    <Part
      title={<code>{name}</code>}
      text={
        <Badge status={on === 0 ? "sound" : count(on, "fault")} tone={on === 0 ? "good" : "warn"} />
      }
    >
      <fieldset class="switches">
        <legend class="hidden">Faults of {name}</legend>
        {SWITCHES.map(([fault, about]) => (
          <label key={fault} class="check">
            <input
              type="checkbox"
              checked={faults[fault]}
              onChange={({ currentTarget }) => set(name, { [fault]: currentTarget.checked })}
            />
            <span>
              {sentence(fault)} <span class="soft small">{about}</span>
            </span>
          </label>
        ))}
        {MANUAL.map(([fault, about]) => (
          <label key={fault} class="check">
            <input
              type="checkbox"
              checked={faults[fault] === "manual"}
              onChange={({ currentTarget }) =>
                set(name, { [fault]: currentTarget.checked ? "manual" : "automatic" })
              }
            />
            <span>
              {sentence(fault)} by hand <span class="soft small">{about}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <p class="soft small">
        Callbacks are signed with <Id value={secret} />
      </p>
    </Part>
  )
}

/** The faults of the sandbox's channels, for everybody who uses this installation. */
export const ChannelFaults = () => {
  const { again, error, value } = useAsked(() => api.sandbox.listChannels(), "")
  const { act, refusal } = useAct()
  const [changed, setChanged] = useState<ReadonlyMap<string, ChangedFaults>>(new Map())
  if (value === undefined) {
    return error === undefined ? <Loading rows={8} /> : <Problem text={error} again={again} />
  }
  // A switch moves at once, and back if the service refuses.
  const set = (channel: string, faults: ChangedFaults) => {
    setChanged((was) => new Map(was).set(channel, { ...was.get(channel), ...faults }))
    void act(() => api.sandbox.setFaults(channel, faults)).then((isSet) => {
      if (!isSet) setChanged(new Map())
    })
  }
  const channels = value.data.map((channel) => ({
    ...channel,
    faults: { ...channel.faults, ...changed.get(channel.channel) },
  }))
  return (
    <div class="page">
      <Head
        title="Faults"
        text="How each channel misbehaves, for everybody on this installation."
      />
      {refusal !== undefined && <Problem text={refusal} />}
      <div class="channels">
        {channels.map((channel) => (
          <Channel key={channel.channel} channel={channel} set={set} />
        ))}
      </div>
    </div>
  )
}
