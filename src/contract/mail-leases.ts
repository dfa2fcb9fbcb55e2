/**
 * How many minutes a cron run holds the lease on an e-mail. After a failure, digests, invitations and warnings wait
 * until their lease ends.
 */
export const mailLeaseMinutes = { reviewNotice: 2, digest: 30, invitation: 30, tokenWarning: 30 } as const;
