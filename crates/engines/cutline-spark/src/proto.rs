//! The messages of Spark Connect that are sent and understood here: as few as are needed, in the terms of its protocol.
//!
//! Written down by hand, so that a build needs no compiler of protocol files. Field numbers never change (that is the protocol's promise),
//! and fields that are not listed are skipped when a message is read.

use bytes::Bytes;
use prost::{Enumeration, Message, Oneof};

/// Who asks.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct UserContext {
    #[prost(string, tag = "1")]
    pub(crate) user_id: String,
    #[prost(string, tag = "2")]
    pub(crate) user_name: String,
}

/// Asks for something to be done; the answer is a stream of [`ExecutePlanResponse`].
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ExecutePlanRequest {
    #[prost(string, tag = "1")]
    pub(crate) session_id: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) user_context: Option<UserContext>,
    #[prost(message, optional, tag = "3")]
    pub(crate) plan: Option<Plan>,
    #[prost(string, optional, tag = "4")]
    pub(crate) client_type: Option<String>,
    #[prost(message, repeated, tag = "5")]
    pub(crate) request_options: Vec<RequestOption>,
    #[prost(string, optional, tag = "6")]
    pub(crate) operation_id: Option<String>,
}

/// How it is to be done.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct RequestOption {
    #[prost(message, optional, tag = "1")]
    pub(crate) reattach_options: Option<ReattachOptions>,
}

/// Can a stream that ended be taken up again?
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ReattachOptions {
    #[prost(bool, tag = "1")]
    pub(crate) reattachable: bool,
}

/// A query or a command.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Plan {
    #[prost(oneof = "Operation", tags = "1, 2")]
    pub(crate) operation: Option<Operation>,
}

/// What a plan is.
#[derive(Clone, PartialEq, Oneof)]
pub(crate) enum Operation {
    /// A query, whose rows are the answer.
    #[prost(message, tag = "1")]
    Root(Relation),
    /// Something that is done.
    #[prost(message, tag = "2")]
    Command(Command),
}

/// A table, as an expression.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Relation {
    #[prost(oneof = "RelationKind", tags = "10, 11")]
    pub(crate) kind: Option<RelationKind>,
}

/// Which table?
#[derive(Clone, PartialEq, Oneof)]
pub(crate) enum RelationKind {
    /// That of a query.
    #[prost(message, tag = "10")]
    Sql(Sql),
    /// One that comes along.
    #[prost(message, tag = "11")]
    Local(LocalRelation),
}

/// A query.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Sql {
    #[prost(string, tag = "1")]
    pub(crate) query: String,
}

/// A table in Arrow's streaming format.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct LocalRelation {
    #[prost(bytes = "bytes", optional, tag = "1")]
    pub(crate) data: Option<Bytes>,
}

/// Something that is done.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Command {
    #[prost(oneof = "CommandKind", tags = "2, 3, 5")]
    pub(crate) kind: Option<CommandKind>,
}

/// What is done?
#[derive(Clone, PartialEq, Oneof)]
pub(crate) enum CommandKind {
    /// A table is written to a path.
    #[prost(message, tag = "2")]
    Write(WriteOperation),
    /// A table gets a name in this session.
    #[prost(message, tag = "3")]
    View(CreateView),
    /// A statement is run.
    #[prost(message, tag = "5")]
    Statement(SqlCommand),
}

/// Writes a table to a path.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct WriteOperation {
    #[prost(message, optional, tag = "1")]
    pub(crate) input: Option<Relation>,
    #[prost(string, optional, tag = "2")]
    pub(crate) source: Option<String>,
    #[prost(string, optional, tag = "3")]
    pub(crate) path: Option<String>,
    #[prost(enumeration = "SaveMode", tag = "5")]
    pub(crate) mode: i32,
}

/// What if something is there?
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Enumeration)]
#[repr(i32)]
pub(crate) enum SaveMode {
    /// Nothing was said.
    Unspecified = 0,
    /// That is an error.
    ErrorIfExists = 3,
}

/// Gives a table a name in this session.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct CreateView {
    #[prost(message, optional, tag = "1")]
    pub(crate) input: Option<Relation>,
    #[prost(string, tag = "2")]
    pub(crate) name: String,
    #[prost(bool, tag = "3")]
    pub(crate) is_global: bool,
    #[prost(bool, tag = "4")]
    pub(crate) replace: bool,
}

/// Runs a statement. Servers before version 4 read `sql`, later ones `input`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct SqlCommand {
    #[prost(string, tag = "1")]
    pub(crate) sql: String,
    #[prost(message, optional, tag = "6")]
    pub(crate) input: Option<Relation>,
}

/// One message of an answer.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ExecutePlanResponse {
    #[prost(string, tag = "13")]
    pub(crate) response_id: String,
    #[prost(oneof = "Answer", tags = "2, 14")]
    pub(crate) answer: Option<Answer>,
}

/// What a message of an answer tells.
#[derive(Clone, PartialEq, Oneof)]
pub(crate) enum Answer {
    /// Rows.
    #[prost(message, tag = "2")]
    Batch(ArrowBatch),
    /// That was all. A stream that ends before is to be taken up again.
    #[prost(message, tag = "14")]
    Complete(ResultComplete),
}

/// Rows in Arrow's streaming format: a stream of its own.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ArrowBatch {
    #[prost(int64, tag = "1")]
    pub(crate) row_count: i64,
    #[prost(bytes = "bytes", tag = "2")]
    pub(crate) data: Bytes,
    /// Rows of the result before these.
    #[prost(int64, optional, tag = "3")]
    pub(crate) start_offset: Option<i64>,
    /// In how many messages these rows come.
    #[prost(int64, optional, tag = "5")]
    pub(crate) chunks: Option<i64>,
}

/// That was all.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ResultComplete {}

/// Takes up an answer behind the last message that was read.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ReattachExecuteRequest {
    #[prost(string, tag = "1")]
    pub(crate) session_id: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) user_context: Option<UserContext>,
    #[prost(string, tag = "3")]
    pub(crate) operation_id: String,
    #[prost(string, optional, tag = "4")]
    pub(crate) client_type: Option<String>,
    #[prost(string, optional, tag = "5")]
    pub(crate) last_response_id: Option<String>,
}

/// Lets the server forget an answer.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ReleaseExecuteRequest {
    #[prost(string, tag = "1")]
    pub(crate) session_id: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) user_context: Option<UserContext>,
    #[prost(string, tag = "3")]
    pub(crate) operation_id: String,
    #[prost(string, optional, tag = "4")]
    pub(crate) client_type: Option<String>,
    #[prost(message, optional, tag = "5")]
    pub(crate) release_all: Option<ReleaseAll>,
}

/// All of it.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ReleaseAll {}

/// Stops what is being done.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct InterruptRequest {
    #[prost(string, tag = "1")]
    pub(crate) session_id: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) user_context: Option<UserContext>,
    #[prost(string, optional, tag = "3")]
    pub(crate) client_type: Option<String>,
    #[prost(enumeration = "InterruptType", tag = "4")]
    pub(crate) interrupt_type: i32,
    #[prost(string, optional, tag = "6")]
    pub(crate) operation_id: Option<String>,
}

/// What is stopped?
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Enumeration)]
#[repr(i32)]
pub(crate) enum InterruptType {
    /// Nothing was said.
    Unspecified = 0,
    /// One operation.
    OperationId = 3,
}

/// Ends a session, and what belongs to it.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ReleaseSessionRequest {
    #[prost(string, tag = "1")]
    pub(crate) session_id: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) user_context: Option<UserContext>,
    #[prost(string, optional, tag = "3")]
    pub(crate) client_type: Option<String>,
}

/// Sets what statements of a session depend on.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ConfigRequest {
    #[prost(string, tag = "1")]
    pub(crate) session_id: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) user_context: Option<UserContext>,
    #[prost(message, optional, tag = "3")]
    pub(crate) operation: Option<ConfigOperation>,
    #[prost(string, optional, tag = "4")]
    pub(crate) client_type: Option<String>,
}

/// What is done with settings.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ConfigOperation {
    #[prost(message, optional, tag = "1")]
    pub(crate) set: Option<ConfigSet>,
}

/// Settings that are made.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ConfigSet {
    #[prost(message, repeated, tag = "1")]
    pub(crate) pairs: Vec<KeyValue>,
}

/// A setting.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct KeyValue {
    #[prost(string, tag = "1")]
    pub(crate) key: String,
    #[prost(string, optional, tag = "2")]
    pub(crate) value: Option<String>,
}

/// An answer of which nothing is needed.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Done {}

impl Relation {
    pub(crate) fn sql(query: &str) -> Self {
        Relation { kind: Some(RelationKind::Sql(Sql { query: query.to_owned() })) }
    }

    pub(crate) fn local(data: Vec<u8>) -> Self {
        Relation { kind: Some(RelationKind::Local(LocalRelation { data: Some(data.into()) })) }
    }
}

impl Operation {
    pub(crate) fn query(query: &str) -> Self {
        Operation::Root(Relation::sql(query))
    }

    /// A statement is run at once, not when its result is read.
    pub(crate) fn statement(statement: &str) -> Self {
        let command = SqlCommand { sql: statement.to_owned(), input: Some(Relation::sql(statement)) };
        Operation::Command(Command { kind: Some(CommandKind::Statement(command)) })
    }

    pub(crate) fn view(name: &str, input: Relation) -> Self {
        let view = CreateView { input: Some(input), name: name.to_owned(), is_global: false, replace: true };
        Operation::Command(Command { kind: Some(CommandKind::View(view)) })
    }

    pub(crate) fn write_parquet(path: &str, query: &str) -> Self {
        let write = WriteOperation {
            input: Some(Relation::sql(query)),
            source: Some("parquet".to_owned()),
            path: Some(path.to_owned()),
            mode: SaveMode::ErrorIfExists as i32,
        };
        Operation::Command(Command { kind: Some(CommandKind::Write(write)) })
    }
}
