/** Cut a name into its words, lower case: `issue_refund`, `issueRefund` and `issue-refund` alike. */
export const nameWords = (name: string): readonly string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean);
