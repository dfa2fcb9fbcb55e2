import type { MoveSteps } from "../../contract/move.ts";
import { type Refusal, refuse } from "../../contract/refusal.ts";
import type { Services } from "../../core/services.ts";
import * as eitherCell from "./either-cell.ts";
import * as reading from "./read-source.ts";
import * as source from "./source.ts";
import * as target from "./target.ts";

/** The steps of a move that a cell runs for the front. */
export const moveSteps: {
  [N in keyof MoveSteps]: (services: Services, input: MoveSteps[N][0]) => Promise<MoveSteps[N][1] | Refusal>;
} = {
  cell: eitherCell.readFactsOfCell,
  underWay: async (services, { id }) => ({ moves: await source.movesFrom(services, id) }),
  take: async (services, mover) =>
    (await source.takeOverMove(services, mover)) ? {} : refuse("move_under_way"),
  read: reading.readForCopy,
  quiet: source.quietMove,
  close: source.closeMove,
  hide: source.hideMove,
  readImage: eitherCell.readMovedImage,
  readKept: reading.readCoordinatorLines,
  factsOf: reading.readFacts,
  lateRequests: reading.lateRequests,
  eraseSource: source.eraseSource,
  goBack: source.cancelMove,
  settle: source.settleMove,
  end: source.endMove,
  openCopy: target.openCopy,
  apply: target.applyPart,
  putImage: eitherCell.putImage,
  dropImages: eitherCell.dropImages,
  publishLinks: target.publishLinks,
  keepKept: target.saveCoordinatorLines,
  finish: target.finishCopy,
  addRequests: target.addRequests,
  discard: target.discardCopy,
  sums: eitherCell.sumRows,
  images: eitherCell.listImages,
  leftovers: eitherCell.findLeftovers,
};
