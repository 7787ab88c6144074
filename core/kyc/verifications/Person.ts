import type { Reservation } from "../../commits/Commit.ts"
import { type ChannelCredentials, credentialsOf, type IdentityData } from "./Submission.ts"
import type { Agent } from "../agents/Agent.ts"

/** So many agents one e-mail address or one phone verifies, over all accounts. */
export const MOST_AGENTS = 3

/** What the names of the counters of contacts begin with. */
export const CONTACTS = "kyc_contact:"

type KeyedHash = (text: string) => string

/** One form of a document's number, however it is written. */
const canonical = (number: string): string =>
  number
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, "")

const marked = (fingerprint: KeyedHash, ...parts: ReadonlyArray<string>): string =>
  fingerprint(`person ${JSON.stringify(parts)}`).slice(0, 32)

/**
 * What tells that two agents act for one person or business, in whatever accounts they are: keyed
 * hashes of the document, of the company's number, and of what confirmed channels call their user.
 * The payments of all who share one are added up (KYC level limits).
 */
export const personsOf = (
  data: IdentityData,
  credentials: ChannelCredentials,
  confirmed: ReadonlyArray<string>,
  fingerprint: KeyedHash,
): ReadonlyArray<string> => {
  const { country = "", document_number, document_type = "", registration_number } = data
  const persons: Array<string> = []
  if (document_number !== undefined) {
    const number = canonical(document_number)
    persons.push(marked(fingerprint, "document", country, document_type, number))
  }
  if (registration_number !== undefined) {
    persons.push(marked(fingerprint, "business", country, canonical(registration_number)))
  }
  for (const { channel, credential } of credentialsOf(credentials)) {
    if (confirmed.includes(channel)) persons.push(marked(fingerprint, channel, credential))
  }
  return persons
}

/** Keyed hashes of the contacts that took a code. `mailbox` is what its addresses share. */
export const contactsOf = (
  { email, phone }: IdentityData,
  mailbox: (email: string) => string,
  fingerprint: KeyedHash,
): ReadonlyArray<string> => [
  ...(email === undefined ? [] : [marked(fingerprint, "email", mailbox(email))]),
  ...(phone === undefined ? [] : [marked(fingerprint, "phone", phone)]),
]

const allContacts = (agent: Pick<Agent, "verified"> | undefined): ReadonlySet<string> =>
  new Set(agent?.verified.flatMap(({ contacts = [] }) => contacts))

/** The name of the sum of agents that a contact has verified. */
export const contactCounter = (contact: string): string => `${CONTACTS}${contact}`

/** The contacts that verify an agent now and did not before. */
export const newContacts = (
  before: Pick<Agent, "verified"> | undefined,
  after: Pick<Agent, "verified">,
): ReadonlyArray<string> => [...allContacts(after)].filter((one) => !allContacts(before).has(one))

/** What a change of an agent adds to the counts of contacts, and gives back of them. */
export const contactChanges = (
  before: Pick<Agent, "verified"> | undefined,
  after: Pick<Agent, "verified">,
): ReadonlyArray<Reservation> => [
  ...newContacts(before, after).map((contact) => ({
    counter: contactCounter(contact),
    add: 1,
    limit: MOST_AGENTS,
  })),
  ...[...allContacts(before)]
    .filter((contact) => !allContacts(after).has(contact))
    .map((contact) => ({ counter: contactCounter(contact), add: -1, limit: 0 })),
]
