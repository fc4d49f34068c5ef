import { z } from 'zod';
import { CLOCK_SKEW_SECONDS } from '../../../platform/clock.ts';
import { displayNameFrom } from '../../../platform/display-name.ts';

/** Tolerated difference between the provider's clock and ours. */
export const CLOCK_SKEW_MS = CLOCK_SKEW_SECONDS * 1000;
/** An assertion issued longer ago is refused, even if its own conditions allow more. */
export const MAX_ASSERTION_AGE_MS = 5 * 60_000;

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

/** Attribute names that providers commonly use for the address and the name of a person. */
const EMAIL_ATTRIBUTES = [
  'email',
  'mail',
  'emailaddress',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
];
const NAME_ATTRIBUTES = [
  'displayname',
  'name',
  'cn',
  'urn:oid:2.16.840.1.113730.3.1.241',
  'urn:oid:2.5.4.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name',
];
const emailSchema = z.email();
const MAX_EMAIL_LENGTH = 254;

/** A SAML timestamp, which includes its time zone (SAML 2.0 Core §1.3.3). */
const instant = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/)
  .transform((text) => new Date(text));
const value = z.union([z.string(), z.looseObject({ _: z.string().optional() })]);
const issuerSchema = z.looseObject({ _: z.string() });
const confirmationSchema = z.looseObject({
  $: z.looseObject({ Method: z.string() }),
  SubjectConfirmationData: z
    .tuple([
      z.looseObject({
        $: z.looseObject({
          Recipient: z.string(),
          InResponseTo: z.string(),
          NotOnOrAfter: instant,
          NotBefore: instant.optional(),
        }),
      }),
    ])
    .optional()
    .catch(undefined),
});

/** An assertion as parsed by xml2js: a list for each child, attributes in `$`, text in `_`. */
const schema = z.object({
  Assertion: z.looseObject({
    $: z.looseObject({ ID: z.string().min(1).max(512), IssueInstant: instant }),
    Issuer: z.tuple([issuerSchema]),
    Subject: z.tuple([
      z.looseObject({
        NameID: z.tuple([
          z.looseObject({
            _: z.string().trim().min(1).max(512),
            $: z.looseObject({ Format: z.string().optional() }).optional(),
          }),
        ]),
        SubjectConfirmation: z.array(confirmationSchema).min(1),
      }),
    ]),
    // An assertion with a condition that is not understood must not be relied on (SAML 2.0 Core §2.5.1.1).
    Conditions: z
      .array(
        z.strictObject({
          $: z.unknown().optional(),
          _: z.unknown().optional(),
          AudienceRestriction: z.unknown().optional(),
          OneTimeUse: z.unknown().optional(),
          ProxyRestriction: z.unknown().optional(),
        }),
      )
      .optional(),
    AuthnStatement: z
      .array(z.looseObject({ $: z.looseObject({ SessionNotOnOrAfter: instant.optional() }) }))
      .optional(),
    AttributeStatement: z
      .array(
        z.union([
          z.string(),
          z.looseObject({
            Attribute: z
              .array(
                z.looseObject({
                  $: z.looseObject({ Name: z.string() }),
                  AttributeValue: z.array(value).optional(),
                }),
              )
              .optional(),
          }),
        ]),
      )
      .optional(),
  }),
});

/** Identity asserted by an identity provider. */
export interface SamlIdentity {
  readonly assertionId: string;
  /** Permanent name of the person at the provider. */
  readonly nameId: string;
  /** In lower case. */
  readonly email: string;
  readonly name: string | null;
  /** When the session must end, with the tolerance for the provider's clock; null: the provider does not say. */
  readonly sessionEnds: Date | null;
}

/** Values that an assertion must match. */
export interface Expected {
  readonly issuer: string;
  readonly recipient: string;
  readonly requestId: string;
  readonly now: Date;
}

/**
 * Reads a signed assertion and checks what node-saml does not (SAML 2.0 Profiles §4.1.4.2, §4.1.4.3).
 * @param signed the assertion from the signed bytes, as node-saml returns it.
 * @throws {Error} for a wrong issuer, audience, request or time, for a name that is not permanent, and unless there is
 * exactly one address.
 */
export function identityIn(signed: unknown, expected: Expected): SamlIdentity {
  const { Assertion: assertion } = schema.parse(signed);
  const now = expected.now.getTime();
  demand(assertion.Issuer[0]._.trim() === expected.issuer, 'from this issuer');
  demand(assertion.$.IssueInstant.getTime() <= now + CLOCK_SKEW_MS, 'already issued');
  const [subject] = assertion.Subject;
  demand(
    subject.SubjectConfirmation.some((one) => confirms(one, expected)),
    'for this service and valid now',
  );
  const ends = (assertion.AuthnStatement ?? []).flatMap(({ $ }) =>
    $.SessionNotOnOrAfter === undefined ? [] : $.SessionNotOnOrAfter.getTime() + CLOCK_SKEW_MS,
  );
  demand(
    ends.every((end) => end > now),
    'from a session that has not ended',
  );
  const [nameId] = subject.NameID;
  demand(nameId.$?.Format !== TRANSIENT, 'with a persistent name');
  const attributes = attributesOf(assertion.AttributeStatement ?? []);
  return {
    assertionId: assertion.$.ID,
    nameId: nameId._,
    email: emailIn(attributes, nameId._, nameId.$?.Format),
    name: nameIn(attributes),
    sessionEnds: ends.length === 0 ? null : new Date(Math.min(...ends)),
  };
}

function confirms(confirmation: z.infer<typeof confirmationSchema>, expected: Expected): boolean {
  const data = confirmation.SubjectConfirmationData?.[0].$;
  if (data === undefined || confirmation.$.Method !== BEARER) return false;
  const now = expected.now.getTime();
  return (
    data.Recipient === expected.recipient &&
    data.InResponseTo === expected.requestId &&
    data.NotOnOrAfter.getTime() > now - CLOCK_SKEW_MS &&
    (data.NotBefore === undefined || data.NotBefore.getTime() <= now + CLOCK_SKEW_MS)
  );
}

type Statements = NonNullable<z.infer<typeof schema>['Assertion']['AttributeStatement']>;

/** Attribute values by attribute name in lower case. */
function attributesOf(statements: Statements): Map<string, string[]> {
  const all = new Map<string, string[]>();
  for (const statement of statements) {
    if (typeof statement === 'string') continue;
    for (const { $, AttributeValue = [] } of statement.Attribute ?? []) {
      const name = $.Name.toLowerCase();
      const texts = AttributeValue.map((one) => (typeof one === 'string' ? one : (one._ ?? '')));
      const values = all.get(name) ?? [];
      for (const text of texts) values.push(text.trim());
      all.set(name, values);
    }
  }
  return all;
}

/** The asserted address, which may be repeated in several places but must be the same in all of them. */
function emailIn(attributes: Map<string, string[]>, nameId: string, format: string | undefined) {
  const asserted = EMAIL_ATTRIBUTES.flatMap((name) => attributes.get(name) ?? []);
  if (format === EMAIL_FORMAT || asserted.length === 0) asserted.push(nameId);
  const [email = '', ...others] = new Set(asserted.map(normalAddress));
  demand(others.length === 0, 'with one address');
  return email;
}

/** Validates before it lowercases: the lower case of U+212A (KELVIN SIGN) is the letter k of another person's address. */
function normalAddress(address: string): string {
  demand(address.length <= MAX_EMAIL_LENGTH, 'with an address of normal length');
  return emailSchema.parse(address).toLowerCase();
}

function nameIn(attributes: Map<string, string[]>): string | null {
  const [name = ''] = NAME_ATTRIBUTES.flatMap((attribute) => attributes.get(attribute) ?? []);
  return displayNameFrom(name);
}

function demand(holds: boolean, what: string): void {
  if (!holds) throw new Error(`The assertion must be ${what}`);
}
