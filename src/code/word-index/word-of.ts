/** The word by which the index has a name: signs at the end are no part of it, as in `empty?`, `save!` and `name=`. */
export const wordOf = (name: string) => (isOperator.test(name) ? name : name.replace(signAtEnd, ""));

const isOperator = /^operator\b/;
const signAtEnd = /(?<=[\p{L}\p{N}_])[?!=]$/u;
