import { useRef, useState } from "preact/hooks"
import type {
  KycAgent,
  KycVerification,
  KycVerifyInput,
} from "../../../../adapters/http/client/Resources.ts"
import { api } from "../data/api.ts"
import { useAsked } from "../data/hooks.ts"
import type { Session } from "../data/session.ts"
import { Badge, Empty, Facts, Head, Id, Loading, Part, Problem } from "../parts/basics.tsx"
import { Confirm } from "../parts/Confirm.tsx"
import { day } from "../show/words.ts"

type Level = NonNullable<KycVerifyInput["level"]>

/** The account's agents, as far as they are known: its own, and those of its installs. */
const ask = async (own: string): Promise<ReadonlyArray<KycAgent>> => {
  const installs = await api.installs.list({ limit: 100 })
  const names = new Set([own, ...installs.data.map(({ agent_id }) => agent_id)])
  return Promise.all([...names].map((name) => api.kyc.getAgent(name)))
}

/** These limits are in whole dollars. */
const dollars = ({ value }: KycAgent["limits"]["daily"]): string =>
  `${value.toLocaleString("en")} USD`

type Verification = KycAgent["verifications"][number]

/** Whether a code is waited for. */
const isAsking = ({ challenge, status }: Verification): boolean =>
  status === "pending" && challenge !== undefined

interface CodeProps {
  readonly verification: Pick<KycVerification, "agent_id" | "challenge" | "verification_id">
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Takes the code that the person was sent. */
const Code = ({ onClose, onDone, verification }: CodeProps) => {
  const [otp, setOtp] = useState("")
  const { agent_id, challenge, verification_id } = verification
  return (
    <Confirm
      title={`The code for ${agent_id}`}
      label="Send the code"
      isReady={/^\d{4,8}$/.test(otp)}
      act={(options) => api.kyc.verify({ verification_id, otp }, options)}
      onClose={onClose}
      onDone={onDone}
    >
      <p class="soft">
        It was sent by {challenge?.channels.join(" and ") ?? "e-mail"}. A sandbox sends nothing: its
        messages are in the inbox.
      </p>
      <label class="field">
        <span>Code</span>
        <input
          inputMode="numeric"
          autocomplete="one-time-code"
          value={otp}
          onInput={(event) => setOtp(event.currentTarget.value.trim())}
        />
      </label>
    </Confirm>
  )
}

const FIELDS = {
  anonymous: [],
  basic: ["email", "phone", "country"],
  enhanced: [
    "email",
    "phone",
    "country",
    "full_name",
    "date_of_birth",
    "document_type",
    "document_number",
  ],
  business: ["email", "phone", "country", "business_name", "registration_number"],
} as const satisfies { readonly [L in Level]: ReadonlyArray<string> }

const NAMES: { readonly [field: string]: string } = {
  email: "E-mail",
  phone: "Phone, with its country code",
  country: "Country, two letters",
  full_name: "Full name",
  date_of_birth: "Date of birth, as 1990-01-31",
  document_type: "Document: passport, national_id or drivers_license",
  document_number: "Number of the document",
  business_name: "Name of the business",
  registration_number: "Registration number",
}

interface VerifyProps {
  readonly agent: string
  readonly onClose: () => void
  readonly onDone: (made: KycVerification) => void
}

const isLevel = (text: string): text is Level => Object.hasOwn(FIELDS, text)

/** Says who an agent acts for. */
const Verify = ({ agent, onClose, onDone }: VerifyProps) => {
  const [level, setLevel] = useState<Level>("basic")
  const [data, setData] = useState<{ readonly [field: string]: string }>({})
  const made = useRef<KycVerification>(null)
  const fields = FIELDS[level].filter((field) => (data[field] ?? "").trim() !== "")
  const said = Object.fromEntries(fields.map((field) => [field, data[field]?.trim()]))
  return (
    <Confirm
      title={`Verify ${agent}`}
      label="Submit"
      isReady={fields.length > 0}
      act={async (options) => {
        const input: KycVerifyInput = { agent_id: agent, level, data: said }
        made.current = await api.kyc.verify(input, options)
      }}
      onClose={onClose}
      onDone={() => made.current !== null && onDone(made.current)}
    >
      <label class="field">
        <span>Level</span>
        <select
          value={level}
          onChange={({ currentTarget: { value } }) => isLevel(value) && setLevel(value)}
        >
          {(["basic", "enhanced", "business"] as const).map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      </label>
      {FIELDS[level].map((field) => (
        <label key={field} class="field">
          <span>{NAMES[field]}</span>
          <input
            value={data[field] ?? ""}
            onInput={({ currentTarget: { value } }) =>
              setData((was) => ({ ...was, [field]: value }))
            }
          />
        </label>
      ))}
    </Confirm>
  )
}

interface AgentProps {
  readonly agent: KycAgent
  readonly verify: () => void
  readonly enter: (verification: Verification) => void
}

const Agent = ({ agent, enter, verify }: AgentProps) => (
  <Part
    title={
      <span class="titled">
        {agent.agent_id} <Badge status={agent.level} />
      </span>
    }
    text={
      <button type="button" class="act" onClick={verify}>
        Verify
      </button>
    }
  >
    <Facts
      of={[
        ["Each payment", dollars(agent.limits.per_transaction)],
        ["A day", dollars(agent.limits.daily)],
        ["Channels", agent.channels.join(", ")],
        ["Until", agent.expires_at === undefined ? null : day(agent.expires_at)],
      ]}
    />
    {agent.verifications.map((verification) => (
      <div key={verification.verification_id} class="line">
        <Badge status={verification.status} /> {verification.level}{" "}
        <Id value={verification.verification_id} />
        <span class="soft small">{day(verification.created_at)}</span>
        {verification.rejection_reason !== undefined && (
          <span>{verification.rejection_reason.message}</span>
        )}
        {verification.compliance_review_required === true && (
          <span class="soft">An operator looks at it.</span>
        )}
        {isAsking(verification) && (
          <button type="button" class="act" onClick={() => enter(verification)}>
            Enter the code
          </button>
        )}
      </div>
    ))}
  </Part>
)

/** Whom the account's agents act for, and what they may pay by that. */
export const Agents = ({ session }: { readonly session: Session }) => {
  const own = session.role === "operator" ? "" : session.account.agent_id
  const { again, error, value } = useAsked(() => ask(own), own)
  const [verifying, setVerifying] = useState<string>()
  const [asked, setAsked] = useState<CodeProps["verification"]>()
  return (
    <>
      <Head title="Agents" text="Whom they act for decides how much they may pay." />
      {error !== undefined && <Problem text={error} again={again} />}
      {value === undefined && error === undefined && <Loading />}
      {value?.length === 0 && <Empty title="No agent yet" />}
      {value?.map((agent) => (
        <Agent
          key={agent.agent_id}
          agent={agent}
          verify={() => setVerifying(agent.agent_id)}
          enter={setAsked}
        />
      ))}
      {verifying !== undefined && (
        <Verify
          agent={verifying}
          onClose={() => setVerifying(undefined)}
          onDone={(made) => {
            setVerifying(undefined)
            again()
            if (made.challenge !== undefined) setAsked(made)
          }}
        />
      )}
      {asked !== undefined && (
        <Code
          verification={asked}
          onClose={() => setAsked(undefined)}
          onDone={() => {
            setAsked(undefined)
            again()
          }}
        />
      )}
    </>
  )
}
