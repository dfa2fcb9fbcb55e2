import type { Child } from "hono/jsx";
import type { Certificate } from "../../review/sign-offs/sign-off-facts.ts";
import { brandStylesheet, logoPath } from "../../workspace/brands/addresses.ts";
import { PageShell } from "../layout.tsx";
import { Mark } from "../parts/avatar.tsx";
import type { Tone } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { Fold } from "../parts/card.tsx";
import { Icon, type IconName } from "../parts/icon.tsx";
import { PoweredBy } from "../parts/mark.tsx";
import { QrCode } from "../parts/qr-code.tsx";
import { When } from "../parts/time.tsx";
import { attributionTexts } from "./conversation.tsx";

interface CertificateOptions {
  certificate: Certificate;
  /** Whether the reader may see the signer's IP address and browser. */
  showsOrigin: boolean;
  proof: string;
  /** `/review/{share_token}`. */
  path: string;
  /** The short URL of the verification page: `/verify/{sign-off id}`. */
  checkUrl: string;
  /** The URL of the keys used to verify the proof. */
  keysUrl: string;
  /** Whether the details are open, for printing without JavaScript. */
  isOpen: boolean;
}

/** A page to keep: what was signed off, by whom, and the evidence. Prints on A4 and Letter. */
export const CertificatePage = (options: CertificateOptions) => {
  const { certificate, path, isOpen, proof, checkUrl } = options;
  const { facts } = certificate;
  const signer = facts.erased_at === undefined ? facts.signer_name : "The client";
  return (
    <PageShell
      title={`Certificate of sign-off · ${facts.title}`}
      shape="paper"
      main="review-main"
      script="review"
      brand={brandStylesheet(certificate.brand)}
      before={
        <header class="review-bar no-print">
          <Mark name={facts.workspace} logo={logoPath(certificate.brand)} />
          <p dir="auto">{facts.workspace}</p>
          <Button kind="bare" icon="chevronLeft" href={path}>
            Review
          </Button>
          <Button icon="printer" type="button" data-print hidden>
            Print
          </Button>
          {!isOpen && (
            <noscript>
              <a href={`${path}/certificate?details=open`}>Print with details</a>
            </noscript>
          )}
        </header>
      }
    >
      <article class="sheet">
        <header class="sheet-head">
          <div>
            <div class="issuer">
              <Mark name={facts.workspace} logo={logoPath(certificate.brand)} />
              <p class="muted">
                Certificate of sign-off · issued by <strong dir="auto">{facts.workspace}</strong>
              </p>
            </div>
            <h1>
              <bdi>{signer}</bdi> accepted “<bdi>{facts.title}</bdi>”
            </h1>
            <p class="muted">
              Version {facts.version_number} · <When at={facts.signed_off_at} exact />
            </p>
          </div>
          <svg class="seal" viewBox="0 0 64 64" aria-hidden="true">
            <circle cx="32" cy="32" r="31" />
            <circle cx="32" cy="32" r="25" />
            <path d="M21 33l8 8 15-17" />
          </svg>
        </header>
        {facts.erased_at !== undefined && (
          <p>
            The signer's name, IP address and browser were erased on <When at={facts.erased_at} exact />. What
            was signed off, and when, has not changed. The proof below was signed again, without the name.
          </p>
        )}
        <div class="sheet-work">
          {certificate.hasImage && (
            <img
              class="signed-work"
              src={`${path}/versions/${facts.version_number}/image`}
              alt={`${facts.title}, version ${facts.version_number}`}
            />
          )}
          <Facts certificate={certificate} />
        </div>
        <History certificate={certificate} signer={signer} />
        <section aria-labelledby="check-heading">
          <h2 id="check-heading">Check it yourself</h2>
          <p>
            This certificate carries a digital proof. Anyone can check it without asking us, today or in ten
            years: change one letter and the check fails.
          </p>
          <div class="actions no-print">
            <CheckProof proof={proof} />
            <Button kind="bare" icon="download" href={`${path}/certificate/proof.jws`}>
              Download the proof
            </Button>
          </div>
          <p class="print-only printed-check">
            <QrCode text={checkUrl} />
            <span>
              Scan the code, or open <a href={checkUrl}>{checkUrl}</a>
            </span>
          </p>
        </section>
        <Proof {...options} />
        <Fold summary="Legal status" open={isOpen}>
          <p>
            A simple electronic signature (eIDAS, article 3(10); ESIGN and UETA in the United States) with
            evidence of who agreed to what, and when. It is not an advanced or qualified electronic signature:
            no identity document was checked, and the proof is signed with the service's key, not the
            signer's.
          </p>
        </Fold>
        <footer>
          <PoweredBy />
        </footer>
      </article>
    </PageShell>
  );
};

/** Posts the proof. With JavaScript, opens the page that verifies the proof in the browser instead. */
const CheckProof = ({ proof }: { proof: string }) => (
  <form method="post" action="/verify" enctype="multipart/form-data" data-check-proof>
    <input type="hidden" name="proof" value={proof} />
    <Button kind="quiet" icon="shieldCheck">
      Check the proof
    </Button>
  </form>
);

const Fact = ({ name, children }: { name: string; children: Child }) => (
  <>
    <dt>{name}</dt>
    <dd dir="auto">{children}</dd>
  </>
);

const Facts = ({ certificate: { facts, clientName, projectName } }: { certificate: Certificate }) => (
  <dl class="facts">
    <Fact name="Work">{facts.title}</Fact>
    {projectName !== null && <Fact name="Project">{projectName}</Fact>}
    {facts.erased_at === undefined && <Fact name="Client">{clientName}</Fact>}
    <Fact name="Signer">{facts.signer_name}</Fact>
    <Fact name="Identified by">{capital(attributionTexts[facts.attribution])}</Fact>
    <Fact name="Agreed to">
      {facts.consent ?? "Recorded by the workspace: no wording was shown to the signer."}
    </Fact>
  </dl>
);

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The steps before the sign-off, oldest first. */
const History = ({ certificate: { facts, steps }, signer }: { certificate: Certificate; signer: string }) => (
  <section aria-labelledby="history-heading">
    <h2 id="history-heading">History</h2>
    <ol class="timeline">
      {steps.map(({ kind, at, versionNumber, name }) => (
        <Step {...stepStyles[kind]} at={at}>
          {kind === "sent" && `Version ${versionNumber} was sent for review`}
          {kind === "change_request" && (
            <>
              <bdi>{facts.erased_at === undefined ? name : "The client"}</bdi> asked for changes to version{" "}
              {versionNumber}
            </>
          )}
        </Step>
      ))}
      <Step icon="check" tone="good" at={facts.signed_off_at}>
        <bdi>{signer}</bdi> signed off version {facts.version_number}
      </Step>
    </ol>
  </section>
);

const stepStyles = {
  sent: { icon: "send", tone: "link" },
  change_request: { icon: "pencil", tone: "warn" },
} as const;

const Step = ({ icon, tone, at, children }: { icon: IconName; tone: Tone; at: string; children: Child }) => (
  <li>
    <span class={`step ${tone}`}>
      <Icon name={icon} />
    </span>
    <p>
      {children}
      <small>
        <When at={at} exact />
      </small>
    </p>
  </li>
);

const hidden = "Shown to the client by the mailed link, and to the workspace";

const missingOf = ({ erased_at }: Certificate["facts"]) => (erased_at === undefined ? "Not known" : "Erased");

const Proof = ({ certificate, showsOrigin, proof, keysUrl, isOpen }: CertificateOptions) => {
  const { facts, ipAddress, userAgent } = certificate;
  return (
    <Fold summary="Technical proof" open={isOpen}>
      <dl class="facts">
        <Fact name="Time (UTC)">{facts.signed_off_at}</Fact>
        <Fact name="IP address">
          {ipAddress === null || showsOrigin ? (ipAddress ?? missingOf(facts)) : hidden}
        </Fact>
        <Fact name="Browser">
          {userAgent === null || showsOrigin ? (userAgent ?? missingOf(facts)) : hidden}
        </Fact>
        <Fact name="Attribution">
          <code>{facts.attribution}</code>
        </Fact>
        <Fact name="Deliverable">
          <code>{facts.deliverable_id}</code>
        </Fact>
        {facts.asset_sha256 !== null && (
          <Fact name="Image (SHA-256)">
            <code>{facts.asset_sha256}</code>
          </Fact>
        )}
        {facts.version_chain.map(({ version_number, hash, created_at }) => (
          <Fact name={`Version ${version_number}`}>
            <When at={created_at} exact />
            <br />
            <code>{hash}</code>
          </Fact>
        ))}
      </dl>
      <p>
        Each hash covers the version and the previous hash, so no one can hide what was replaced, or when.
      </p>
      <p>
        The proof is a compact JWS (RFC 7515), signed with EdDSA. Any JOSE library verifies it, offline, with
        the keys at <a href={keysUrl}>{keysUrl}</a>.
      </p>
      <p class="proof">
        <code>{proof}</code>
      </p>
    </Fold>
  );
};
