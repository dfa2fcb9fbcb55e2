import { raw } from "hono/html";
import award from "lucide-static/dist/esm/icons/award.mjs";
import bookOpen from "lucide-static/dist/esm/icons/book-open.mjs";
import chartColumn from "lucide-static/dist/esm/icons/chart-no-axes-column.mjs";
import check from "lucide-static/dist/esm/icons/check.mjs";
import chevronLeft from "lucide-static/dist/esm/icons/chevron-left.mjs";
import chevronRight from "lucide-static/dist/esm/icons/chevron-right.mjs";
import chevronsUpDown from "lucide-static/dist/esm/icons/chevrons-up-down.mjs";
import circleAlert from "lucide-static/dist/esm/icons/circle-alert.mjs";
import circleCheck from "lucide-static/dist/esm/icons/circle-check.mjs";
import circleX from "lucide-static/dist/esm/icons/circle-x.mjs";
import clock from "lucide-static/dist/esm/icons/clock.mjs";
import columns from "lucide-static/dist/esm/icons/columns-2.mjs";
import copy from "lucide-static/dist/esm/icons/copy.mjs";
import download from "lucide-static/dist/esm/icons/download.mjs";
import externalLink from "lucide-static/dist/esm/icons/external-link.mjs";
import eyeOff from "lucide-static/dist/esm/icons/eye-off.mjs";
import gauge from "lucide-static/dist/esm/icons/gauge.mjs";
import info from "lucide-static/dist/esm/icons/info.mjs";
import key from "lucide-static/dist/esm/icons/key-round.mjs";
import list from "lucide-static/dist/esm/icons/list.mjs";
import logOut from "lucide-static/dist/esm/icons/log-out.mjs";
import mail from "lucide-static/dist/esm/icons/mail.mjs";
import menu from "lucide-static/dist/esm/icons/menu.mjs";
import message from "lucide-static/dist/esm/icons/message-square.mjs";
import palette from "lucide-static/dist/esm/icons/palette.mjs";
import pencil from "lucide-static/dist/esm/icons/pencil.mjs";
import plus from "lucide-static/dist/esm/icons/plus.mjs";
import printer from "lucide-static/dist/esm/icons/printer.mjs";
import refresh from "lucide-static/dist/esm/icons/refresh-cw.mjs";
import history from "lucide-static/dist/esm/icons/rotate-ccw-clock.mjs";
import search from "lucide-static/dist/esm/icons/search.mjs";
import send from "lucide-static/dist/esm/icons/send.mjs";
import shieldCheck from "lucide-static/dist/esm/icons/shield-check.mjs";
import warning from "lucide-static/dist/esm/icons/triangle-alert.mjs";
import unlink from "lucide-static/dist/esm/icons/unlink.mjs";
import userPlus from "lucide-static/dist/esm/icons/user-plus.mjs";
import users from "lucide-static/dist/esm/icons/users.mjs";
import webhook from "lucide-static/dist/esm/icons/webhook.mjs";
import wrench from "lucide-static/dist/esm/icons/wrench.mjs";
import zap from "lucide-static/dist/esm/icons/zap.mjs";

/** The pages' icons, from Lucide, by what they stand for. */
const icons = {
  award,
  bookOpen,
  chartColumn,
  check,
  chevronLeft,
  chevronRight,
  chevronsUpDown,
  circleAlert,
  circleCheck,
  circleX,
  clock,
  columns,
  copy,
  download,
  externalLink,
  eyeOff,
  gauge,
  history,
  info,
  key,
  list,
  logOut,
  mail,
  menu,
  message,
  palette,
  pencil,
  plus,
  printer,
  refresh,
  search,
  send,
  shieldCheck,
  unlink,
  userPlus,
  users,
  warning,
  webhook,
  wrench,
  zap,
} as const;
export type IconName = keyof typeof icons;

/** An icon is next to a word, or its button has a label, so screen readers skip it. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" data-icon={name}>
    {raw(shapesOf(icons[name]))}
  </svg>
);

/** The drawing without the element around it, which the stylesheet styles. */
const shapesOf = (svg: string): string => svg.slice(svg.indexOf(">") + 1, svg.lastIndexOf("<")).trim();
