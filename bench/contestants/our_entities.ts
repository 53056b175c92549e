/**
 * The entity classes of the list, as an application declares them, for stores and for pages.
 *
 * @module
 */
import { Entity } from "@rejoin/data/core";

/** A user. */
export class User extends Entity {
  id = "";
  login = "";
  name = "";
  email = "";
  avatarUrl = "";
  followers = 0;
  pk() {
    return this.id;
  }
  static key = "User";
}

/** A label. */
export class Label extends Entity {
  id = "";
  name = "";
  color = "";
  description = "";
  pk() {
    return this.id;
  }
  static key = "Label";
}

/** A row of the list. */
export class Issue extends Entity {
  id = "";
  number = 0;
  title = "";
  body = "";
  state = "";
  comments = 0;
  url = "";
  createdAt = "";
  updatedAt = "";
  user = User.fromJS();
  labels: Label[] = [];
  pk() {
    return this.id;
  }
  static key = "Issue";
  static schema = { user: User, labels: [Label] };
}
