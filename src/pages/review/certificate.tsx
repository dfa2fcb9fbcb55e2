import type { Child } from "hono/jsx";
import type { Certificate } from "../../review/sign-offs/sign-off-facts.ts";
import { ColumnPage } from "../layout.tsx";
import { When } from "../parts/time.tsx";
import { attributionTexts } from "./conversation.tsx";

interface CertificateOptions {
  certificate: Certificate;
  /** Whether the reader may see the signer's IP address and browser. */
  showsOrigin: boolean;
  proof: string;
  /** `/review/{share_token}`. */
  path: string;
  /** Where the keys are that verify the proof. */
  keysUrl: string;
}

/** A page to keep on file: what was signed off, by whom, and what proves it. It prints on A4 and Letter. */
export const CertificatePage = ({ certificate, showsOrigin, proof, path, keysUrl }: CertificateOptions) => {
  const { facts } = certificate;
  return (
    <ColumnPage
      title={`Certificate of sign-off · ${facts.title}`}
      brand={facts.workspace}
      aside={<a href={path}>Back to the review</a>}
      shape="paper"
    >
      <h1>Certificate of sign-off</h1>
      <p class="muted">
        <strong dir="auto">{facts.erased_at === undefined ? facts.signer_name : "The client"}</strong> signed
        off version {facts.version_number} of <strong dir="auto">{facts.title}</strong> on{" "}
        <When at={facts.signed_off_at} exact />.
      </p>
      {facts.erased_at !== undefined && (
        <p>
          The signer's name, IP address and browser were erased on <When at={facts.erased_at} exact />. What
          was signed off, and when, stands as it was recorded; the proof below is signed anew, without the
          name.
        </p>
      )}
      {certificate.hasImage && (
        <img
          class="signed-work"
          src={`${path}/versions/${facts.version_number}/image`}
          alt={`${facts.title}, version ${facts.version_number}`}
        />
      )}
      <Facts {...{ certificate, showsOrigin }} />
      <Chain certificate={certificate} />
      <Proof proof={proof} keysUrl={keysUrl} />
      <Law />
    </ColumnPage>
  );
};

const Fact = ({ name, children }: { name: string; children: Child }) => (
  <>
    <dt>{name}</dt>
    <dd dir="auto">{children}</dd>
  </>
);

const missingOf = ({ erased_at }: Certificate["facts"]) => (erased_at === undefined ? "Not known" : "Erased");

const hidden = "Shown to the client by the mailed link, and to the workspace";

type FactsOptions = Pick<CertificateOptions, "certificate" | "showsOrigin">;

const Facts = ({ certificate: { facts, ipAddress, userAgent }, showsOrigin }: FactsOptions) => (
  <section aria-labelledby="facts-heading">
    <h2 id="facts-heading">What was recorded</h2>
    <dl class="facts">
      <Fact name="Workspace">{facts.workspace}</Fact>
      <Fact name="Work">{facts.title}</Fact>
      <Fact name="Version">{facts.version_number}</Fact>
      <Fact name="Version hash">
        <code>{facts.version_hash}</code>
      </Fact>
      <Fact name="Signer">{facts.signer_name}</Fact>
      <Fact name="Known by">{`${attributionTexts[facts.attribution]} (${facts.attribution})`}</Fact>
      <Fact name="Agreed to">
        {facts.consent ?? "Recorded by the workspace: no wording was shown to the signer."}
      </Fact>
      <Fact name="Time (UTC)">{facts.signed_off_at}</Fact>
      <Fact name="IP address">
        {ipAddress === null || showsOrigin ? (ipAddress ?? missingOf(facts)) : hidden}
      </Fact>
      <Fact name="Browser">
        {userAgent === null || showsOrigin ? (userAgent ?? missingOf(facts)) : hidden}
      </Fact>
      <Fact name="Deliverable">
        <code>{facts.deliverable_id}</code>
      </Fact>
    </dl>
  </section>
);

const Chain = ({ certificate: { facts } }: { certificate: Certificate }) => (
  <section aria-labelledby="chain-heading">
    <h2 id="chain-heading">Versions up to the signed one</h2>
    <p>Each hash covers the version and the hash before it: what was replaced, and when, cannot be hidden.</p>
    <ol class="chain">
      {facts.version_chain.map(({ version_number, hash, created_at }) => (
        <li value={version_number}>
          <When at={created_at} exact />
          <br />
          <code>{hash}</code>
        </li>
      ))}
    </ol>
  </section>
);

const Proof = ({ proof, keysUrl }: { proof: string; keysUrl: string }) => (
  <section aria-labelledby="proof-heading">
    <h2 id="proof-heading">Proof</h2>
    <p>
      A compact JWS (RFC 7515), signed with EdDSA. Any JOSE library verifies it, offline, with the keys at{" "}
      <a href={keysUrl}>{keysUrl}</a>: change anything that it says and it fails.
    </p>
    <p class="proof">
      <code>{proof}</code>
    </p>
  </section>
);

const Law = () => (
  <section aria-labelledby="law-heading">
    <h2 id="law-heading">What this is</h2>
    <p>
      A simple electronic signature (eIDAS, article 3(10); ESIGN and UETA in the United States) with evidence
      of who agreed to what, and when. It is not an advanced or qualified electronic signature: no identity
      document was checked, and the proof is signed with the service's key, not the signer's.
    </p>
  </section>
);
