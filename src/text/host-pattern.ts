/** A host name, or `*.` and a host name: how settings name what a program in the sandbox may reach. */
export const hostPattern = /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+$/i;
