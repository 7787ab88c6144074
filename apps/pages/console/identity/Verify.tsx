import { useRef } from "preact/hooks"
import type { KycVerification } from "../../../../adapters/http/client/Resources.ts"
import { type IdentityData, VerifyInput } from "../../../../core/kyc/verifications/Submission.ts"
import { api } from "../data/api.ts"
import { Choice, Group, Text } from "../forms/fields.tsx"
import { useForm } from "../forms/Form.tsx"
import { FormDialog } from "../forms/FormDialog.tsx"
import { readBy } from "../forms/issues.ts"
import { fieldsOf, isNeeded, LEVELS, levelOf, readIdentity } from "./identityDraft.ts"

const decode = readBy(VerifyInput)

const DOCUMENTS = {
  "": "Choose one",
  passport: "Passport",
  national_id: "National identity card",
  drivers_license: "Driving licence",
}

type Words = Exclude<keyof IdentityData, "document_type" | "ubo_declaration">

const WORDS: { readonly [Name in Words]: Omit<Parameters<typeof Text>[0], "name"> } = {
  email: { label: "E-mail", inputMode: "email", autocomplete: "email" },
  phone: { label: "Phone", inputMode: "tel", autocomplete: "tel", placeholder: "+14155550123" },
  country: { label: "Country", placeholder: "DE", hint: "Two letters.", look: "currency" },
  full_name: { label: "Full name", hint: "As the document has it.", autocomplete: "name" },
  date_of_birth: { label: "Born", isDate: true, autocomplete: "bday" },
  document_number: { label: "Number of the document" },
  business_name: { label: "Name of the business", autocomplete: "organization" },
  registration_number: { label: "Registration number" },
}

const WORD_NAMES = ["email", "phone", "country", "full_name", "date_of_birth"] as const
const BUSINESS_NAMES = ["business_name", "registration_number"] as const

const Owner = () => (
  <Group
    name="data.ubo_declaration"
    label="Its owner"
    hint="The person who owns or controls it in the end."
  >
    <div class="pair">
      <Text name="data.ubo_declaration.full_name" label="Full name" isRequired />
      <Text
        name="data.ubo_declaration.ownership_pct"
        label="Share in percent"
        look="amount"
        isRequired
        placeholder="100"
      />
    </div>
  </Group>
)

const Wallets = () => (
  <details>
    <summary>A wallet knows this person already</summary>
    <div class="form">
      <p class="soft small">One that confirms it spares the document.</p>
      <Text name="channel_credentials.wallet_a_user_id" label="User id at Wallet A" />
      <Text name="channel_credentials.wallet_b_open_id" label="Open id at Wallet B" />
    </div>
  </details>
)

/** The fields of the chosen level. */
const Fields = ({ isNamed }: { readonly isNamed: boolean }) => {
  const { draft } = useForm()
  const asked = fieldsOf(levelOf(draft))
  const words = (names: ReadonlyArray<Words>) =>
    names
      .filter((name) => asked.has(name))
      .map((name) => (
        <Text
          key={name}
          {...WORDS[name]}
          name={`data.${name}`}
          isRequired={isNeeded(draft, name)}
        />
      ))
  return (
    <>
      {!isNamed && <Text name="agent_id" label="Agent" isRequired placeholder="agent_travel" />}
      <Choice name="level" label="Level" isRequired of={LEVELS} />
      {words(BUSINESS_NAMES)}
      {words(WORD_NAMES)}
      {asked.has("document_type") && (
        <Choice
          name="data.document_type"
          label="Document"
          isRequired={isNeeded(draft, "document_type")}
          of={DOCUMENTS}
        />
      )}
      {words(["document_number"])}
      {asked.has("ubo_declaration") && <Owner />}
      <Wallets />
    </>
  )
}

interface VerifyProps {
  /** Empty if the agent's name is typed. */
  readonly agent: string
  readonly onClose: () => void
  /** Called without a verification if it is unknown whether one was made. */
  readonly onDone: (made: KycVerification | undefined) => void
}

/** A form for the verification of an agent's principal. */
export const Verify = ({ agent, onClose, onDone }: VerifyProps) => {
  const made = useRef<KycVerification | undefined>(undefined)
  const isNamed = agent !== ""
  return (
    <FormDialog
      title={isNamed ? `Verify ${agent}` : "Verify an agent"}
      initial={{ agent_id: "", level: "basic" }}
      {...(isNamed && { fixed: { agent_id: agent } })}
      read={readIdentity}
      decode={decode}
      send={async (input, options) => (made.current = await api.kyc.verify(input, options))}
      label="Submit"
      onDone={() => onDone(made.current)}
      onClose={onClose}
    >
      <Fields isNamed={isNamed} />
    </FormDialog>
  )
}
