import type { Channel } from "../../../../adapters/http/client/Resources.ts"
import { isTicked, tickedOf } from "../forms/Draft.ts"
import { AnyOf, Area, Choice, Group, Rows, Text, Tick } from "../forms/fields.tsx"
import { useForm } from "../forms/Form.tsx"
import { Part } from "../parts/basics.tsx"

const INTERVALS = {
  daily: "Daily",
  weekly: "Weekly",
  monthly: "Monthly",
  quarterly: "Quarterly",
  yearly: "Yearly",
}

const TARGETS = {
  access_token: "Access token",
  signed_url: "Signed URL",
  session: "Session",
  license_key: "Licence key",
}

const CODES = {
  dynamic: "A code of its own for each payment",
  static: "One code to print; its payers pick a price",
}

/** The fields that buyers read. */
export const About = ({ isNew }: { readonly isNew: boolean }) => (
  <Part title="What you offer" text="Agents find it by these words.">
    <div class="form">
      <Text
        name="name"
        label="Name"
        isRequired
        isFixed={!isNew}
        hint={isNew ? undefined : "A service keeps its name. Another name is another service."}
      />
      <Area name="description" label="Description" isRequired />
      <Text name="tags" label="Tags" hint="With commas between them." />
    </div>
  </Part>
)

const Prices = () => (
  <Rows
    name="pricing.one_time"
    label="Prices"
    one="price"
    empty={{ label: "", amount: "", currency: "USD" }}
  >
    {(row) => (
      <>
        <Text name={`${row}.label`} label="What is paid for" isRequired placeholder="One report" />
        <Text name={`${row}.amount`} label="Amount" look="amount" isRequired placeholder="0.00" />
        <Text name={`${row}.currency`} label="Currency" look="currency" isRequired />
      </>
    )}
  </Rows>
)

const Open = () => {
  const { draft } = useForm()
  const name = "pricing.open_amount"
  return (
    <>
      <Tick
        name={name}
        label="Payers may type an amount of their own"
        hint="Those who scan the printed code."
      />
      {isTicked(draft, name) && (
        <div class="pair">
          <Text name={`${name}.minimum`} label="At least" look="amount" placeholder="0.00" />
          <Text name={`${name}.maximum`} label="At most" look="amount" placeholder="0.00" />
          <Text name={`${name}.currency`} label="Currency" look="currency" isRequired />
        </div>
      )}
    </>
  )
}

const Use = () => {
  const name = "pricing.cumulative"
  return (
    <Group name={name} label="Use that is summed up">
      <div class="pair">
        <Text name={`${name}.unit`} label="Unit" isRequired placeholder="request" />
        <Text
          name={`${name}.rate`}
          label="Rate"
          look="amount"
          isRequired
          placeholder="0.25"
          hint="Minor units for one unit; 0.25 is a quarter of a cent."
        />
        <Choice name={`${name}.billing_cycle`} label="Paid" isRequired of={INTERVALS} />
        <Text name={`${name}.currency`} label="Currency" look="currency" />
      </div>
    </Group>
  )
}

const Plans = () => (
  <Rows
    name="pricing.subscription"
    label="Plans"
    one="plan"
    empty={{ plan_id: "", name: "", amount: "", currency: "USD", interval: "monthly" }}
  >
    {(row) => (
      <>
        <Text name={`${row}.name`} label="Name" isRequired placeholder="Pro" />
        <Text name={`${row}.plan_id`} label="Plan's id" isRequired placeholder="pro" />
        <Text name={`${row}.amount`} label="Amount" look="amount" isRequired placeholder="0.00" />
        <Text name={`${row}.currency`} label="Currency" look="currency" isRequired />
        <Choice name={`${row}.interval`} label="Paid" isRequired of={INTERVALS} />
        <Area name={`${row}.features`} label="What it has" rows={2} hint="One a line." />
      </>
    )}
  </Rows>
)

/** The ways to pay, and the prices. */
export const Pricing = () => {
  const { draft } = useForm()
  const isPaid = (method: string) => isTicked(draft, `payment_methods.${method}`)
  return (
    <Part title="Prices">
      <div class="form">
        <AnyOf
          name="payment_methods"
          label="How it is paid"
          of={{ one_time: "One payment", subscription: "A subscription", cumulative: "By use" }}
        />
        {isPaid("one_time") && <Prices />}
        {isPaid("one_time") && <Open />}
        {isPaid("subscription") && <Plans />}
        {isPaid("cumulative") && <Use />}
      </div>
    </Part>
  )
}

/** The channels, the codes, and the settlement currency. */
export const Paying = ({ channels }: { readonly channels: ReadonlyArray<Channel> }) => {
  const { draft } = useForm()
  const ids = channels.map(({ channel }) => channel)
  const names = Object.fromEntries(channels.map(({ channel, label }) => [channel, label]))
  const accepted = tickedOf(draft, "accepted_channels", ids)
  const some = Object.fromEntries([
    ["", "None"],
    ...accepted.map((id) => [id, names[id] ?? id] as const),
  ])
  return (
    <Part title="Payment">
      <div class="form">
        <AnyOf name="accepted_channels" label="Channels" of={names} />
        <div class="pair">
          <Choice name="default_channel" label="First choice" of={some} />
          <Choice name="fallback_channel" label="When that is down" of={some} />
        </div>
        <div class="pair">
          <Choice name="qr_mode" label="QR codes" isRequired of={CODES} />
          <Text name="settlement_currency" label="Settles in" look="currency" isRequired />
        </div>
        <Text
          name="endpoint"
          label="Webhook address"
          inputMode="url"
          isRequired
          placeholder="https://"
          hint="Where signed events of its payments go. Buyers do not see it."
        />
      </div>
    </Part>
  )
}

/** What a refund revokes of what was delivered. */
export const Revoking = () => {
  const name = "revocation_policy"
  return (
    <Part title="Access after a refund" text="What a refund takes back unless it says otherwise.">
      <div class="form">
        <Tick name={`${name}.auto_revoke_on_refund`} label="Every refund takes access back" />
        <Rows
          name={`${name}.default_targets`}
          label="Access to take back"
          one="sort of access"
          empty={{ type: "access_token", scope: "" }}
        >
          {(row) => (
            <>
              <Choice name={`${row}.type`} label="Sort" isRequired of={TARGETS} />
              <Text name={`${row}.scope`} label="Scope" placeholder="read:detail" />
            </>
          )}
        </Rows>
        <Text
          name={`${name}.revoke_url`}
          label="Your system that revokes"
          inputMode="url"
          placeholder="https://"
        />
        <Tick name={`${name}.webhook_on_revoke`} label="Tell the endpoint of it" />
        <Tick
          name={`${name}.strict`}
          label="Take back nothing that was not registered with the payment"
        />
      </div>
    </Part>
  )
}
