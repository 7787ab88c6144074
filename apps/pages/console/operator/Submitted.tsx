import type { KycOpenedVerification } from "../../../../adapters/http/client/Resources.ts"
import { Link } from "../data/router.tsx"
import { Facts, Id, Part } from "../parts/basics.tsx"
import { full, sentence } from "../show/words.ts"

/** The complete submitted data, which only operators may read. */
export const Submitted = ({ of }: { readonly of: KycOpenedVerification }) => {
  const { channel_credentials, data } = of
  const { ubo_declaration } = data
  const isErased = Object.keys(data).length === 0
  return (
    <Part
      title="Submitted"
      text={isErased ? "It has been erased." : "Kept no longer than the decision needs it."}
    >
      <Facts
        of={[
          ["Name", data.full_name],
          ["Born", data.date_of_birth],
          ["Document", data.document_type && sentence(data.document_type)],
          ["Number", data.document_number && <Id value={data.document_number} whole />],
          ["Country", data.country],
          ["E-mail", data.email],
          ["Phone", data.phone],
          ["Business", data.business_name],
          ["Registered", data.registration_number],
          [
            "Owner",
            ubo_declaration && `${ubo_declaration.full_name}, ${ubo_declaration.ownership_pct} %`,
          ],
          ["Wallet A", channel_credentials.wallet_a_user_id],
          ["Wallet B", channel_credentials.wallet_b_open_id],
        ]}
      />
    </Part>
  )
}

/** The subject of the verification, and its state. */
export const About = ({ of }: { readonly of: KycOpenedVerification }) => (
  <Part title="Verification">
    <Facts
      of={[
        ["Verification", <Id value={of.verification_id} whole />],
        ["Account", <Link to={`/accounts/${of.account_id}`}>{of.account_id}</Link>],
        ["Agent", of.agent_id],
        ["Level", sentence(of.level)],
        ["Unlocks", of.channels.join(", ")],
        ["Submitted", full(of.created_at)],
        ["Decided", of.verified_at && full(of.verified_at)],
        ["Ends", of.expires_at && full(of.expires_at)],
        [
          "Rejected",
          of.rejection_reason && `${of.rejection_reason.code}: ${of.rejection_reason.message}`,
        ],
        ["Log", <Link to={`/audit?target=${of.verification_id}`}>What operators did to it</Link>],
      ]}
    />
  </Part>
)
