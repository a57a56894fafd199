//! A session with a cluster, whose operations can be watched and stopped.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use arrow_array::RecordBatch;
use cutline_engine::{EngineError, Watch};
use http::uri::PathAndQuery;
use tokio::runtime::{Builder, Runtime};
use tonic::client::Grpc;
use tonic::transport::Channel;
use tonic::{Request, Status, Streaming};
use tonic_prost::ProstCodec;
use uuid::Uuid;

use crate::SparkError;
use crate::answer::Answered;
use crate::error::{Failure, is_lost};
use crate::location::Location;
use crate::proto::{
    ConfigOperation, ConfigRequest, ConfigSet, Done, ExecutePlanRequest, ExecutePlanResponse, InterruptRequest,
    InterruptType, KeyValue, Operation, Plan, ReattachExecuteRequest, ReattachOptions, ReleaseAll,
    ReleaseExecuteRequest, ReleaseSessionRequest, RequestOption, UserContext,
};

/// How often is asked whether the work must stop?
const POLL: Duration = Duration::from_millis(100);

/// How long is waited before an answer is taken up again, and how often in a row without hearing anything of it.
const PAUSE: Duration = Duration::from_millis(200);
const MOST_ATTEMPTS: u32 = 25;

/// How long the server may take to hear that we are gone.
const FAREWELL: Duration = Duration::from_secs(2);

const CLIENT: &str = "cutline";

/// A session. It ends with this value.
pub(crate) struct Session {
    runtime: Runtime,
    channel: Channel,
    location: Location,
    id: String,
    uploads: AtomicUsize,
}

impl Session {
    pub(crate) fn begin(location: &Location) -> Result<Self, EngineError> {
        let refused = |reason: String| SparkError::Connect { place: location.to_string(), reason };
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(|error| refused(error.to_string()))?;
        let connecting = location.endpoint()?.connect_timeout(Duration::from_secs(20));
        let channel = runtime.block_on(connecting.connect()).map_err(|error| {
            let cause = std::error::Error::source(&error);
            refused(cause.map_or_else(|| error.to_string(), ToString::to_string))
        })?;
        let (id, uploads) = (Uuid::new_v4().to_string(), AtomicUsize::new(0));
        let session = Session { runtime, channel, location: location.clone(), id, uploads };
        // What the texts of moments depend on.
        session.set("spark.sql.session.timeZone", "UTC").map_err(|failure| match failure {
            Failure::Server(status) if is_lost(&status) => refused("it does not answer".to_owned()).into(),
            failure => failure.during("beginning a session"),
        })?;
        Ok(session)
    }

    /// Sets what statements of this session depend on.
    fn set(&self, key: &str, value: &str) -> Result<(), Failure> {
        let pairs = vec![KeyValue { key: key.to_owned(), value: Some(value.to_owned()) }];
        let request = ConfigRequest {
            session_id: self.id.clone(),
            user_context: self.user(),
            operation: Some(ConfigOperation { set: Some(ConfigSet { pairs }) }),
            client_type: Some(CLIENT.to_owned()),
        };
        self.runtime.block_on(self.unary::<_, Done>("Config", request))?;
        Ok(())
    }

    /// A name for a table that is uploaded, which no other has.
    pub(crate) fn fresh_name(&self) -> String {
        format!("cutline_upload_{}", self.uploads.fetch_add(1, Ordering::Relaxed))
    }

    /// Runs an operation that gives no rows.
    pub(crate) fn run(&self, doing: &'static str, watch: &dyn Watch, operation: Operation) -> Result<(), EngineError> {
        self.execute(watch, operation, |_| Ok(())).map_err(|failure| failure.during(doing))
    }

    /// The batches of a query. There is at least one: it tells the columns.
    pub(crate) fn query(
        &self,
        doing: &'static str,
        watch: &dyn Watch,
        query: &str,
        each: impl FnMut(RecordBatch) -> Result<(), Failure>,
    ) -> Result<(), EngineError> {
        self.execute(watch, Operation::query(query), each).map_err(|failure| failure.during(doing))
    }

    /// Runs an operation. When the watch says so, the server is asked to stop it.
    pub(crate) fn execute(
        &self,
        watch: &dyn Watch,
        operation: Operation,
        each: impl FnMut(RecordBatch) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let id = Uuid::new_v4().to_string();
        self.runtime.block_on(async {
            tokio::select! {
                done = self.whole_answer(&id, operation, each) => done,
                () = cancelled(watch) => {
                    let interrupt = self.unary::<_, Done>("Interrupt", self.interrupt(&id));
                    // If it does not get there, the operation ends when it is done.
                    let _ = tokio::time::timeout(FAREWELL, interrupt).await;
                    Err(Failure::Interrupted)
                }
            }
        })
    }

    /// Reads an answer to its end. A server ends a stream after some minutes whatever is still to come, and a connection may be lost: only
    /// the message that says so is the end of an answer, everything else is taken up again.
    async fn whole_answer(
        &self,
        id: &str,
        operation: Operation,
        mut each: impl FnMut(RecordBatch) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut stream = self.streaming("ExecutePlan", self.start(id, operation)).await?;
        let mut answer = Answered::default();
        loop {
            match stream.message().await {
                Ok(Some(response)) => {
                    if answer.take(response, &mut each)? {
                        break;
                    }
                }
                Ok(None) => stream = self.again(id, &mut answer, None).await?,
                Err(status) if is_lost(&status) => stream = self.again(id, &mut answer, Some(status)).await?,
                Err(status) => return Err(status.into()),
            }
        }
        // The server forgets it after a while in any case.
        let _ = self.unary::<_, Done>("ReleaseExecute", self.release(id)).await;
        Ok(())
    }

    /// Takes an answer up behind what was read of it.
    async fn again(
        &self,
        id: &str,
        answer: &mut Answered,
        mut why: Option<Status>,
    ) -> Result<Streaming<ExecutePlanResponse>, Failure> {
        // A stream that lived for a while was ended in the usual way, also if there was nothing to hear.
        if answer.since.elapsed() > Duration::from_secs(1) {
            answer.attempts = 0;
        }
        loop {
            answer.attempts += 1;
            if answer.attempts > MOST_ATTEMPTS {
                return Err(why.map_or(Failure::Answer("it ended before it was complete"), Failure::from));
            }
            tokio::time::sleep(PAUSE).await;
            answer.since = Instant::now();
            match self.streaming("ReattachExecute", self.reattach(id, answer)).await {
                Ok(stream) => return Ok(stream),
                Err(status) if is_lost(&status) => why = Some(status),
                Err(status) => return Err(status.into()),
            }
        }
    }

    async fn streaming<M: prost::Message + 'static>(
        &self,
        method: &'static str,
        message: M,
    ) -> Result<Streaming<ExecutePlanResponse>, Status> {
        let mut grpc = self.grpc().await?;
        let codec = ProstCodec::<M, ExecutePlanResponse>::default();
        Ok(grpc.server_streaming(self.request(message), path(method)?, codec).await?.into_inner())
    }

    async fn unary<M: prost::Message + 'static, A: prost::Message + Default + 'static>(
        &self,
        method: &'static str,
        message: M,
    ) -> Result<A, Status> {
        let mut grpc = self.grpc().await?;
        let codec = ProstCodec::<M, A>::default();
        Ok(grpc.unary(self.request(message), path(method)?, codec).await?.into_inner())
    }

    async fn grpc(&self) -> Result<Grpc<Channel>, Status> {
        let mut grpc = Grpc::new(self.channel.clone()).max_decoding_message_size(usize::MAX);
        grpc.ready().await.map_err(|error| Status::unavailable(error.to_string()))?;
        Ok(grpc)
    }

    fn request<M>(&self, message: M) -> Request<M> {
        let mut request = Request::new(message);
        for (key, value) in &self.location.headers {
            request.metadata_mut().insert(key.clone(), value.clone());
        }
        request
    }

    fn user(&self) -> Option<UserContext> {
        let user = self.location.user.clone();
        Some(UserContext { user_id: user.clone(), user_name: user })
    }

    fn start(&self, id: &str, operation: Operation) -> ExecutePlanRequest {
        ExecutePlanRequest {
            session_id: self.id.clone(),
            user_context: self.user(),
            plan: Some(Plan { operation: Some(operation) }),
            client_type: Some(CLIENT.to_owned()),
            request_options: vec![RequestOption { reattach_options: Some(ReattachOptions { reattachable: true }) }],
            operation_id: Some(id.to_owned()),
        }
    }

    fn reattach(&self, id: &str, answer: &Answered) -> ReattachExecuteRequest {
        ReattachExecuteRequest {
            session_id: self.id.clone(),
            user_context: self.user(),
            operation_id: id.to_owned(),
            client_type: Some(CLIENT.to_owned()),
            last_response_id: answer.last.clone(),
        }
    }

    fn release(&self, id: &str) -> ReleaseExecuteRequest {
        ReleaseExecuteRequest {
            session_id: self.id.clone(),
            user_context: self.user(),
            operation_id: id.to_owned(),
            client_type: Some(CLIENT.to_owned()),
            release_all: Some(ReleaseAll {}),
        }
    }

    fn interrupt(&self, id: &str) -> InterruptRequest {
        InterruptRequest {
            session_id: self.id.clone(),
            user_context: self.user(),
            client_type: Some(CLIENT.to_owned()),
            interrupt_type: InterruptType::OperationId as i32,
            operation_id: Some(id.to_owned()),
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let goodbye = ReleaseSessionRequest {
            session_id: self.id.clone(),
            user_context: self.user(),
            client_type: Some(CLIENT.to_owned()),
        };
        let goodbye = self.unary::<_, Done>("ReleaseSession", goodbye);
        let _ = self.runtime.block_on(async { tokio::time::timeout(FAREWELL, goodbye).await });
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Session({})", self.location)
    }
}

fn path(method: &str) -> Result<PathAndQuery, Status> {
    let path = format!("/spark.connect.SparkConnectService/{method}");
    PathAndQuery::try_from(path).map_err(|error| Status::internal(error.to_string()))
}

async fn cancelled(watch: &dyn Watch) {
    while !watch.cancelled() {
        tokio::time::sleep(POLL).await;
    }
}
