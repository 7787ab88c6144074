import type { Reservation } from "../../commits/Commit.ts"
import { type ChannelCredentials, credentialsOf, type IdentityData } from "./Submission.ts"
import type { Agent } from "../agents/Agent.ts"

/** The most agents that one e-mail address or phone verifies, over all accounts. */
export const MOST_AGENTS = 3

/** Prefix of the names of the counters of contacts. */
export const CONTACTS = "kyc_contact:"

type KeyedHash = (text: string) => string

/** Normalizes the number of a document, so that all its spellings are equal. */
const canonical = (number: string): string =>
  number
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, "")

const marked = (fingerprint: KeyedHash, ...parts: ReadonlyArray<string>): string =>
  fingerprint(`person ${JSON.stringify(parts)}`).slice(0, 32)

/**
 * Returns keyed hashes that identify the person or business an agent acts for, across accounts: of
 * the document, of the company's number, and of the user names that channels confirmed. The
 * payments of all agents that share a hash are added up (KYC level limits).
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

/**
 * Returns keyed hashes of the contacts that a code was sent to. `mailbox` normalizes an address.
 */
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

/** Returns the name of the counter of agents that a contact verifies. */
export const contactCounter = (contact: string): string => `${CONTACTS}${contact}`

/** Returns the contacts that verify the agent after the change and did not before. */
export const newContacts = (
  before: Pick<Agent, "verified"> | undefined,
  after: Pick<Agent, "verified">,
): ReadonlyArray<string> => [...allContacts(after)].filter((one) => !allContacts(before).has(one))

/** Returns the reservations by which a change of an agent changes the counters of its contacts. */
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
