/**
 * The grammar of English orders; see `rulesOf` for the notation. Rules that stand for a verb after
 * "would you mind" end in -ing.
 */
export const ENGLISH = `
  Hello = hi | hey | hello | hi there | hey there | hello there | dear all | good day | good morning
    | good afternoon | good evening
  Yes = yes | yeah | ok | okay | sure | alright
  Greeting = [Hello [, | ! | .]] [Yes [,]]
  Please = please | pls | plz | kindly | just | go ahead and | let 's | let us | now
  Wish = i want to | i 'd like to | i would like to | i need to | i wish to | we want to
    | we need to
    | we 'd like to | we would like to | i want you to | i 'd like you to | i need you to
  Start = Greeting [Please] [Wish] [Please]
  Close = please | pls | plz | thanks | thank you | thank you very much | thanks a lot | many thanks
    | thx | now | right now | right away | immediately | straight away | asap | for me | for us
  End = [Close] [[,] Close] [[,] Close] [. | ! | . Close [. | !]]
  Can = can you | could you | would you | will you | can you please | could you please
    | would you please | could you kindly
  Mind = would you mind | do you mind

  The = the | my | our
  Name = <name> | the <name> service | the <name> | <name> service
  Transfer = pay | send | transfer | wire | remit | give | donate | settle | make a payment of
    | submit a payment of | pay out
  Transferring = paying | sending | transferring | wiring | remitting | giving | donating
    | making a payment of
  Recipient = pay | send | give | tip | wire | pay 一下
  Receiving = paying | sending | giving | tipping | wiring
  Purchase = buy | purchase | order | get | buy me | buy us | get me | get us | order me
  Purchasing = buying | purchasing | ordering | getting | buying me | getting me
  One = one | a | an | 1
  Price = [,] <money> | [,] for <money> | at <money>
  Paid = Transfer (<money> | <number>) [[over] (to | for | with | towards) Name]
    | Recipient Name (<money> | <number>)
    | pay for Name [[,] <money>]
    | Purchase [One] Name [Price]
    | (make | submit) a payment to Name of <money>
    | make a <money> payment to Name
    | spend <money> on Name
    | top up Name with <money>
    | charge me <money> for Name
    | tip <money> to Name
  Paying = Transferring <money> (to | for | with) Name
    | Receiving Name <money>
    | paying for Name
    | Purchasing [One] Name [Price]
    | spending <money> on Name
  Pay = Start Paid End
    | Greeting Can [Please] Paid End [?]
    | Greeting Mind Paying End [?]
    | Greeting [Please] <money> (to | for) Name End

  Me = me | us
  Tier = plan | tier | package | membership | subscription
  Article = the | a | an | its | their
  Billing = billed <interval> | paid <interval> | charged <interval> | with <interval> billing
    | <interval> [billing] | on <interval> billing | billed <interval> | at <money> <interval>
  On = [,] (on | with | for | at) [Article] (<plan> [Tier] | <anyplan> Tier) | [,] <plan> [Tier]
  Chosen = [Article] [<interval>] <plan> Tier | [Article] [<interval>] <plan> [<interval>] Tier
    | [Article] <interval> Tier
  Of = of | from | for | at | with | to | on
  Subscribed = subscribe [Me] to Chosen Of Name [[,] Billing]
    | subscribe [Me] [to] Name [On] [[,] Billing]
    | (sign Me up | sign up) for Chosen [Of Name] [[,] Billing]
    | (sign Me up | sign up) (for | to) Name [On] [[,] Billing]
    | (sign Me up | sign up) for Name 's <plan> [Tier] [[,] Billing]
    | (enroll | enrol | put) Me (in | on) Chosen Of Name [[,] Billing]
    | join Name [On] [[,] Billing]
    | (start | begin | get | get Me | activate | take | set up | choose | open) Chosen Of Name
      [[,] Billing]
    | (start | begin | set up | open) a subscription (to | with | at) Name [On] [[,] Billing]
    | (get | get Me | activate) Name 's <plan> Tier [[,] Billing]
  Want = i want | i 'd like | i would like | we want | we 'd like | we would like | i need
    | i 'll take
  Subscribe = Start Subscribed End
    | Greeting Can [Please] Subscribed End [?]
    | Greeting [Please] Want Chosen Of Name [[,] Billing] End

  Bill = invoice | invoices | bill | bills
  Bills = [all [of]] [The] [<status>] Bill [(from | of | for | by | with) Name]
    | every [<status>] Bill [(from | of | for | by | with) Name]
    | any [<status>] Bill [(from | of | for | by | with) Name]
    | [all] [The] Name Bill
  Show = show | show me | list | list me | get | get me | give me | display | pull up | fetch | view
    | see | look at | find | let me see
  Owed = what do i owe | how much do i owe | what do we owe | how much do we owe
  Shown = Show Bills | <owing> [to] [Name]
  Query = Start Shown End [?]
    | Greeting Can [Please] Shown End [?]
    | Greeting Bills End
    | Greeting do i have Bills End [?]
    | Greeting do we have Bills End [?]
    | Greeting (which | what) (invoices | bills) are <status> End [?]
    | Greeting (what | which) are Bills End [?]
    | Greeting i 'd like to see Bills End

  Payment = [the] [payment | charge | transaction] [number | id] <payment>
  Reason = [,] (because | since) <reason> | [,] (reason | reason :) <reason>
  Issue = issue | make | give | process | request | ask for
  Whole = all of | the whole of | the full amount of | everything of | the entire amount of
  Backed = (refund | reimburse) [Whole] Payment
    | (refund | reimburse) Payment (in full | fully | completely)
    | fully refund Payment
    | (refund | reimburse | return) <money> (of | on | for | from) Payment
    | (give | send | pay | return) [Whole] Payment back
    | (give | send) back <money> (of | on | for | from) Payment
    | (give | send) <money> back (of | on | for | from) Payment
    | (give | send) <money> (of | on | for | from) Payment back
    | Issue [a | the] [full] refund (of | on | for) Payment
    | Issue [a | the] refund of <money> (of | on | for) Payment
  Refund = Start Backed End
    | Start Backed Reason [. | !]
    | Greeting Can [Please] Backed End [?]
    | Greeting (i want | i 'd like | i would like) [a | the] [full] refund (of | on | for) Payment
      [Reason] End
    | Greeting (i want | i 'd like | i would like) a refund of <money> (of | on | for) Payment
      [Reason] End

  Pending = [the | my | this] [pending | unpaid | open] [payment | order | charge | transaction]
    [number | id] <payment>
  Voided = (void | cancel | abort | stop | withdraw | drop | annul | call off) Pending
    | call Pending off
  Void = Start Voided End | Greeting Can [Please] Voided End [?]
`
