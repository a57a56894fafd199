#!/usr/bin/env bash
# A Spark cluster of several processes on this machine, from the package that scripts/setup-tests.sh installs: a master, two workers with
# an executor each, and a Connect server.
#   scripts/spark-cluster.sh start FOLDER CONNECT_PORT MASTER_PORT [OPTIONS OF spark-submit]
#   scripts/spark-cluster.sh stop FOLDER
set -uo pipefail

action="$1"
folder="$2/.spark"
spark="${CUTLINE_CACHE:-$HOME/.cache/cutline}/spark"
export SPARK_HOME
SPARK_HOME="$("$spark/bin/python" -c 'import os, pyspark; print(os.path.dirname(pyspark.__file__))')"
export SPARK_LOCAL_IP=127.0.0.1 SPARK_LOCAL_DIRS="$folder/local"

# Runs a program that goes on, and remembers its number.
go_on() {
    nohup "${@:2}" >"$folder/$1.log" 2>&1 &
    echo $! >"$folder/$1.pid"
}

# Waits until somebody listens on a port; up to five minutes, for machines that have other things to do.
wait_for() {
    for _ in $(seq 3000); do
        (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null && return
        sleep 0.1
    done
    echo "nobody listens on port $1: see $folder" >&2
    return 1
}

case "$action" in
start)
    connect="$3"
    master="$4"
    mkdir -p "$folder"
    class="$SPARK_HOME/bin/spark-class org.apache.spark.deploy"
    # Only for these: spark-submit would take it for the Connect server's memory.
    export SPARK_DAEMON_MEMORY=192m
    # shellcheck disable=SC2086
    go_on master $class.master.Master --host 127.0.0.1 --port "$master" --webui-port 0
    wait_for "$master" || exit 1
    for number in 1 2; do
        # shellcheck disable=SC2086
        go_on "worker$number" $class.worker.Worker --host 127.0.0.1 --cores 1 --memory 800m --webui-port 0 \
            --work-dir "$folder/work$number" "spark://127.0.0.1:$master"
    done
    unset SPARK_DAEMON_MEMORY
    go_on connect "$SPARK_HOME/bin/spark-submit" --class org.apache.spark.sql.connect.service.SparkConnectServer --name cutline-tests \
        --master "spark://127.0.0.1:$master" --driver-memory 1g --conf spark.executor.memory=700m --conf spark.executor.cores=1 \
        --conf spark.sql.shuffle.partitions=2 --conf spark.ui.enabled=false \
        --conf spark.connect.grpc.binding.address=127.0.0.1 --conf "spark.connect.grpc.binding.port=$connect" \
        --conf "spark.sql.warehouse.dir=$folder/warehouse" "${@:5}" spark-internal
    wait_for "$connect"
    ;;
stop)
    for name in connect worker1 worker2 master; do
        [ -f "$folder/$name.pid" ] && kill "$(cat "$folder/$name.pid")" 2>/dev/null
    done
    # Executors end when their workers do.
    for name in connect worker1 worker2 master; do
        for _ in $(seq 100); do
            [ -f "$folder/$name.pid" ] && kill -0 "$(cat "$folder/$name.pid")" 2>/dev/null || break
            sleep 0.1
        done
    done
    rm -f "$folder"/*.pid
    ;;
*)
    echo "usage: $0 start|stop FOLDER …" >&2
    exit 2
    ;;
esac
