/**
 * The flat records of this workload and their comparison, member by member, which both lower bounds use.
 *
 * @module
 */
import type { RawIssue, RawLabel, RawProject, RawTopic, RawUser } from "../workload.ts";

/** An issue with ids in place of its user and labels. */
export interface IssueRecord extends Omit<RawIssue, "user" | "labels"> {
  user: string;
  labels: string[];
}

/** A project with ids in place of its owner and topics. */
export interface ProjectRecord extends Omit<RawProject, "owner" | "topics"> {
  owner: string;
  topics: string[];
}

/** Flattens an issue. */
export function toIssueRecord(issue: RawIssue): IssueRecord {
  return { ...issue, user: issue.user.id, labels: issue.labels.map((label) => label.id) };
}

/** Flattens a project. */
export function toProjectRecord(project: RawProject): ProjectRecord {
  return { ...project, owner: project.owner.id, topics: project.topics.map((topic) => topic.id) };
}

/** Whether two users are equal. */
export function sameUser(a: RawUser, b: RawUser): boolean {
  return a.id === b.id && a.login === b.login && a.name === b.name && a.email === b.email &&
    a.avatarUrl === b.avatarUrl && a.followers === b.followers;
}

/** Whether two labels are equal. */
export function sameLabel(a: RawLabel, b: RawLabel): boolean {
  return a.id === b.id && a.name === b.name && a.color === b.color && a.description === b.description;
}

/** Whether two issues are equal. */
export function sameIssue(a: IssueRecord, b: IssueRecord): boolean {
  return a.id === b.id && a.number === b.number && a.title === b.title && a.body === b.body && a.state === b.state &&
    a.comments === b.comments && a.url === b.url && a.createdAt === b.createdAt && a.updatedAt === b.updatedAt &&
    a.user === b.user && sameStrings(a.labels, b.labels);
}

/** Whether two topics are equal. */
export function sameTopic(a: RawTopic, b: RawTopic): boolean {
  return a.id === b.id && a.name === b.name;
}

/** Whether two projects are equal. */
export function sameProject(a: ProjectRecord, b: ProjectRecord): boolean {
  return a.id === b.id && a.name === b.name && a.visibility === b.visibility && a.stars === b.stars &&
    a.owner === b.owner && sameStrings(a.topics, b.topics);
}

/** Whether two lists hold the same strings in the same order. */
export function sameStrings(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}
